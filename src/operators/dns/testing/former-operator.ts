// What the existing operator leaves in a cluster: its definition, which knows two versions and converts nothing, and what it made for an object.
// Written out by hand: the operator that takes over has to find its own wishes in it.
import type { CustomResourceDefinition, KubeObject } from '#kube'
import { type ExternalDns, renderDnsCrd } from '../api/kinds.ts'
import { annotations, operandName, targetSecretName } from '../api/names.ts'
import { containerName } from '../operand/container-name.ts'
import { contentHash, encodeSecret, textHash } from '../operand/content-hash.ts'

/** Stores `v1beta1`; its predecessor stored `v1alpha1`. */
export function formerDefinition(storage: 'v1alpha1' | 'v1beta1' = 'v1beta1'): CustomResourceDefinition {
  const { spec, ...definition } = renderDnsCrd({ service: { namespace: 'nowhere', name: 'nobody' } })
  const versions = spec.versions
    .filter(({ name }) => name !== 'v1beta2')
    .map(version => ({ ...version, storage: version.name === storage }))
  return { ...definition, spec: { ...spec, versions, conversion: { strategy: 'None' } } }
}

/** Of AWS, with keys of a Secret and a role to assume. */
export function formerSpec({ zone, domain, arn }: Readonly<Record<'zone' | 'domain' | 'arn', string>>): object {
  return {
    domains: [{ filterType: 'Include', matchType: 'Exact', name: domain }],
    provider: { type: 'AWS', aws: { credentials: { name: 'dns-keys' }, assumeRole: { arn } } },
    source: { type: 'Service', labelFilter: { matchLabels: { dns: 'public' } }, fqdnTemplate: [`{{.Name}}.${domain}`] },
    zones: [zone],
  }
}

interface Former {
  /** With a spec of `formerSpec`. */
  readonly dns: ExternalDns
  readonly namespace: string
  readonly image: string
  readonly keys: Readonly<Record<'aws_access_key_id' | 'aws_secret_access_key', string>>
  readonly metricsHost?: string
  /** What it handed on. */
  readonly proxy?: string
  readonly authorities?: string
}

/** ServiceAccount, Secret and Deployment. */
export function formerObjects(former: Former): readonly KubeObject[] {
  const { dns, namespace, keys, authorities } = former
  const { name, uid } = dns.metadata
  const owner = {
    apiVersion: 'externaldns.olm.openshift.io/v1beta1',
    kind: 'ExternalDNS',
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  }
  const made = { namespace, ownerReferences: [owner] }
  const { aws_access_key_id: id, aws_secret_access_key: key } = keys
  const text = { ...keys, credentials: `[default]\naws_access_key_id = ${id}\naws_secret_access_key = ${key}` }
  const data = Object.fromEntries(Object.entries(text).map(([field, value]) => [field, Buffer.from(value)]))
  const secretName = targetSecretName(name)
  const labels = { 'app.kubernetes.io/name': 'external-dns', 'app.kubernetes.io/instance': name }
  const template = {
    metadata: {
      labels,
      annotations: {
        [annotations.credentialsHash]: contentHash(data),
        ...(authorities === undefined ? {} : { [annotations.trustedCaHash]: textHash({ 'ca-bundle.crt': authorities }) }),
      },
    },
    spec: {
      serviceAccountName: operandName(name),
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'node-role.kubernetes.io/master', operator: 'Exists', effect: 'NoSchedule' }],
      containers: [containerOf(former)],
      volumes: [...(authorities === undefined ? [] : [authoritiesVolume]), ...volumesOf(secretName)],
    },
  }
  const spec = { replicas: 1, selector: { matchLabels: labels }, strategy: { type: 'Recreate' }, template }
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...made, name: operandName(name) } }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { ...made, name: secretName }, data: encodeSecret(data) }
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...made, name: operandName(name) }, spec }
  return [account, secret, deployment]
}

const authoritiesPath = '/etc/pki/ca-trust/extracted/pem'
const authoritiesVolume = {
  name: 'trusted-ca',
  configMap: { name: 'external-dns-trusted-ca', items: [{ key: 'ca-bundle.crt', path: 'tls-ca-bundle.pem' }] },
}

function containerOf({ dns, image, metricsHost = '127.0.0.1', proxy, authorities }: Former): object {
  const { metadata, spec } = dns
  const { name } = metadata
  const zone = spec.zones?.[0] ?? ''
  const domain = spec.domains?.[0]?.name
  return {
    name: containerName(zone),
    image,
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    args: [
      `--domain-filter=${domain}`,
      `--metrics-address=${metricsHost}:7979`,
      `--txt-owner-id=external-dns-${name}`,
      '--provider=aws',
      '--source=service',
      '--policy=sync',
      '--registry=txt',
      '--log-level=debug',
      `--zone-id-filter=${zone}`,
      '--label-filter=dns=public',
      '--ignore-hostname-annotation',
      `--fqdn-template={{.Name}}.${domain}`,
      '--txt-prefix=external-dns-',
      `--aws-assume-role=${spec.provider.aws?.assumeRole?.arn}`,
    ],
    env: [
      ...(proxy === undefined ? [] : [{ name: 'HTTPS_PROXY', value: proxy }]),
      ...(authorities === undefined ? [] : [{ name: 'SSL_CERT_DIR', value: authoritiesPath }]),
      { name: 'AWS_SHARED_CREDENTIALS_FILE', value: '/etc/kubernetes/aws-credentials' },
    ],
    volumeMounts: [
      ...(authorities === undefined ? [] : [{ name: 'trusted-ca', mountPath: authoritiesPath, readOnly: true }]),
      { name: 'aws-credentials', mountPath: '/etc/kubernetes', readOnly: true },
      { name: 'bound-sa-token', mountPath: '/var/run/secrets/openshift/serviceaccount', readOnly: true },
    ],
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      privileged: false,
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  }
}

function volumesOf(secretName: string): readonly object[] {
  const token = { serviceAccountToken: { audience: 'openshift', expirationSeconds: 3_600, path: 'token' } }
  return [
    { name: 'aws-credentials', secret: { secretName, items: [{ key: 'credentials', path: 'aws-credentials' }] } },
    { name: 'bound-sa-token', projected: { sources: [token] } },
  ]
}
