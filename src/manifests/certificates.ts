// Where the serving certificate of the admission webhooks comes from, and how the API server is told whom to trust.
import { given } from '#base'
import type { CustomResourceDefinition, KubeObject, Right } from '#kube'
import type { AdmissionPlace } from '#runtime'
import { accountOfOperator, fullnameOf, type Install, metadataOf, namespaceOf } from './install.ts'

/** What cert-manager is asked for: an authority of this installation, and a serving certificate that the authority signs. */
export function certManagerObjects(install: Install): readonly KubeObject[] {
  if (install.values.webhookCertificate.source !== 'cert-manager') return []
  const webhook = `${fullnameOf(install)}-webhook`
  const namespace = namespaceOf(install)
  const object = (kind: string, name: string, spec: object): KubeObject =>
    ({ apiVersion: 'cert-manager.io/v1', kind, metadata: metadataOf(install, name, { namespace }), spec }) as KubeObject
  const host = `${webhook}.${namespace}.svc`
  return [
    object('Issuer', `${fullnameOf(install)}-selfsigned`, { selfSigned: {} }),
    object('Certificate', `${webhook}-ca`, {
      secretName: `${webhook}-ca-tls`,
      commonName: `${webhook}-ca`,
      isCA: true,
      duration: '87600h',
      renewBefore: '8760h',
      privateKey: { rotationPolicy: 'Never' },
      issuerRef: { kind: 'Issuer', name: `${fullnameOf(install)}-selfsigned` },
    }),
    object('Issuer', `${webhook}-ca-issuer`, { ca: { secretName: `${webhook}-ca-tls` } }),
    object('Certificate', webhook, {
      secretName: `${webhook}-tls`,
      duration: '8760h',
      renewBefore: '720h',
      usages: ['server auth'],
      dnsNames: [webhook, `${webhook}.${namespace}`, host, `${host}.${install.values.clusterDomain}`],
      privateKey: { rotationPolicy: 'Always' },
      issuerRef: { kind: 'Issuer', name: `${webhook}-ca-issuer` },
    }),
  ]
}

/** Whether the process keeps an authority of its own. */
export function keepsAuthority({ values, operators }: Install): boolean {
  return values.webhookCertificate.source === 'own' && operators.some(({ needs }) => needs.webhooks.length > 0)
}

/** Where the process keeps its authority. It is empty at first, since a right to make a Secret could not be confined to its name. */
export function authoritySecret(install: Install): readonly KubeObject[] {
  if (!keepsAuthority(install)) return []
  const metadata = metadataOf(install, authoritySecretName(install), { namespace: namespaceOf(install) })
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' }
  return [secret]
}

/** The flags by which the process learns the names of its Secret, its Service and its configurations. */
export function authorityArgs(install: Install): readonly string[] {
  if (!keepsAuthority(install)) return []
  return [
    `--webhook-authority-secret=${authoritySecretName(install)}`,
    `--webhook-service=${fullnameOf(install)}-webhook`,
    `--webhook-configurations=${configurationNames(install).join(',')}`,
  ]
}

/** The rights to keep the authority. Each of them names its objects. */
export function authorityRights(install: Install): readonly Right[] {
  if (!keepsAuthority(install)) return []
  const own = { names: [authoritySecretName(install)], within: [namespaceOf(install)] }
  return [
    {
      group: '',
      resource: 'secrets',
      verbs: ['get', 'list', 'watch', 'update'],
      ...own,
      why: 'the authority of the webhooks, and what it signed',
    },
    {
      group: 'admissionregistration.k8s.io',
      resource: 'validatingwebhookconfigurations',
      verbs: ['get', 'list', 'watch', 'patch'],
      names: configurationNames(install),
      why: 'whom the API server trusts',
    },
    ...conversionRights(install),
  ]
}

function conversionRights(install: Install): readonly Right[] {
  const names = install.operators.flatMap(({ needs }) =>
    needs.crds.filter(isConverted).map(({ metadata }) => metadata.name ?? ''),
  )
  if (names.length === 0) return []
  const why = 'whom the API server trusts to convert objects between versions'
  return [
    {
      group: 'apiextensions.k8s.io',
      resource: 'customresourcedefinitions',
      verbs: ['get', 'list', 'watch', 'patch'],
      names,
      why,
    },
  ]
}

function isConverted({ spec }: CustomResourceDefinition): boolean {
  return spec.conversion?.strategy === 'Webhook'
}

/** The definition of a kind whose versions the process converts is told whom to trust as webhooks are. */
export function placedCrd(install: Install, crd: CustomResourceDefinition): CustomResourceDefinition {
  const { source, caBundle } = install.values.webhookCertificate
  const { conversion } = crd.spec
  if (!isConverted(crd) || conversion?.webhook === undefined || source === 'own') return crd
  if (source === 'cert-manager') {
    const inject = { 'cert-manager.io/inject-ca-from': `${namespaceOf(install)}/${fullnameOf(install)}-webhook-ca` }
    return { ...crd, metadata: { ...crd.metadata, annotations: { ...crd.metadata.annotations, ...inject } } }
  }
  const clientConfig = { caBundle: Buffer.from(caBundle).toString('base64'), ...conversion.webhook.clientConfig }
  const webhook = { ...conversion.webhook, clientConfig }
  return { ...crd, spec: { ...crd.spec, conversion: { ...conversion, webhook } } }
}

function authoritySecretName(install: Install): string {
  return `${fullnameOf(install)}-webhook-authority`
}

function configurationNames(install: Install): readonly string[] {
  const names = install.operators.flatMap(({ needs }) => needs.webhooks.map(({ suffix }) => `${fullnameOf(install)}-${suffix}`))
  return [...new Set(names)].sort()
}

/** How the API server reaches the webhooks of an operator, and whose updates do not wait for them. */
export function admissionPlace(install: Install, operator: string, suffix: string): AdmissionPlace {
  const webhook = `${fullnameOf(install)}-webhook`
  const namespace = namespaceOf(install)
  const { source, caBundle } = install.values.webhookCertificate
  const inject = source === 'cert-manager' ? { 'cert-manager.io/inject-ca-from': `${namespace}/${webhook}-ca` } : {}
  const { name, labels, annotations } = metadataOf(install, `${fullnameOf(install)}-${suffix}`, { annotations: inject })
  return {
    name,
    labels,
    ...given({ annotations }),
    service: { namespace, name: webhook, port: 443 },
    operatorUser: `system:serviceaccount:${namespace}:${accountOfOperator(install, operator)}`,
    ...(source === 'secret' ? { caBundle } : {}),
  }
}
