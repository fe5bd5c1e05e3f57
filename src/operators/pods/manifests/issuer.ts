// What the certificate needs beside the webhook: cert-manager's part, which is a CA and the pair that it signs, or the Secret of an authority
// that the webhook keeps itself.
import type { KubeObject } from '#kube'
import { namespaced, secretNameOf } from './names.ts'
import type { ManifestOptions } from './options.ts'

export function issuerObjects(options: ManifestOptions): readonly KubeObject[] {
  if (options.certificate.kind === 'own') return [authoritySecret(options)]
  if (options.certificate.kind !== 'cert-manager') return []
  const { name, namespace } = options
  const object = (kind: string, suffix: string, spec: object): KubeObject =>
    ({ apiVersion: 'cert-manager.io/v1', kind, metadata: namespaced(options, `${name}${suffix}`), spec }) as KubeObject
  return [
    object('Issuer', '-self-signed', { selfSigned: {} }),
    object('Certificate', '-ca', {
      isCA: true,
      commonName: `${name}-ca`,
      secretName: `${name}-ca`,
      duration: '87600h',
      renewBefore: '8760h',
      privateKey: { algorithm: 'ECDSA', size: 256 },
      issuerRef: { kind: 'Issuer', name: `${name}-self-signed` },
    }),
    object('Issuer', '-ca', { ca: { secretName: `${name}-ca` } }),
    object('Certificate', '', {
      secretName: secretNameOf(options),
      dnsNames: serviceNames(name, namespace),
      duration: '8760h',
      renewBefore: '720h',
      usages: ['digital signature', 'key encipherment', 'server auth'],
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
      issuerRef: { kind: 'Issuer', name: `${name}-ca` },
    }),
  ]
}

/** Where the webhook keeps its authority: empty at first, since a right to make a Secret could not be confined to its name. */
function authoritySecret(options: ManifestOptions): KubeObject {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: namespaced(options, secretNameOf(options)), type: 'Opaque' }
  return secret
}

/** What the API server, and people, call the Service (§2.14). */
export function serviceNames(name: string, namespace: string): readonly string[] {
  return [name, `${name}.${namespace}`, `${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`]
}
