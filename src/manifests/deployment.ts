// The Deployment of a process of operators: what runs, with which flags, files and bounds.
import type { KubeObject } from '#kube'
import type { Mount } from '#runtime'
import { authorityArgs, keepsAuthority } from './certificates.ts'
import {
  accountOf,
  accountOfOperator,
  fullnameOf,
  type Install,
  labelsOf,
  metadataOf,
  namespaceOf,
  selectorOf,
} from './install.ts'
import type { ImageValues, Passed, ProbeValues } from './values.ts'

export function deployment(install: Install): KubeObject {
  const { values } = install
  const spec = {
    ...(values.operator.leaderElection.enabled || values.replicaCount === 1
      ? { replicas: values.replicaCount }
      : refuse(install)),
    revisionHistoryLimit: values.revisionHistoryLimit,
    strategy: values.updateStrategy,
    selector: { matchLabels: selectorOf(install) },
    template: { metadata: podMetadata(install), spec: podSpec(install) },
  }
  const metadata = metadataOf(install, fullnameOf(install), {
    namespace: namespaceOf(install),
    annotations: values.deploymentAnnotations,
  })
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec } as KubeObject
}

function refuse({ values }: Install): never {
  throw new Error(`replicaCount is ${values.replicaCount}: without operator.leaderElection.enabled only one replica may work`)
}

function podMetadata(install: Install): object {
  const { podLabels, podAnnotations } = install.values
  const annotations = { ...install.podAnnotations, ...podAnnotations }
  return {
    labels: { ...labelsOf(install), ...podLabels },
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  }
}

function podSpec(install: Install): object {
  const { values } = install
  const pullSecrets = [...values.global.imagePullSecrets, ...values.image.pullSecrets]
  return {
    ...(pullSecrets.length === 0 ? {} : { imagePullSecrets: pullSecrets.map(name => ({ name })) }),
    serviceAccountName: accountOf(install),
    automountServiceAccountToken: values.podAutomountServiceAccountToken,
    ...contextOf(values.podSecurityContext),
    terminationGracePeriodSeconds: values.terminationGracePeriodSeconds,
    ...given({
      priorityClassName: values.priorityClassName,
      schedulerName: values.schedulerName,
      nodeSelector: values.nodeSelector,
      tolerations: values.tolerations,
      affinity: values.affinity,
      topologySpreadConstraints: values.topologySpreadConstraints,
      initContainers: values.initContainers,
    }),
    containers: [container(install), ...values.sidecars],
    ...given({ volumes: volumesOf(install) }),
  }
}

function container(install: Install): object {
  const { values } = install
  const { metrics, containerPorts } = values
  const port = (name: string, containerPort: number): object => ({ name, containerPort, protocol: 'TCP' })
  const from = [
    ...(values.extraEnvVarsCM === '' ? [] : [{ configMapRef: { name: values.extraEnvVarsCM } }]),
    ...(values.extraEnvVarsSecret === '' ? [] : [{ secretRef: { name: values.extraEnvVarsSecret } }]),
  ]
  return {
    name: 'manager',
    image: imageOf(values.image, install.chart.appVersion, values.global.imageRegistry),
    imagePullPolicy: values.image.pullPolicy,
    args: ['operator', ...processArgs(install), ...install.args, ...values.operator.extraArgs],
    ...given({ env: [...install.env, ...values.extraEnvVars], envFrom: from }),
    ports: [
      ...(admits(install) ? [port('webhook', containerPorts.webhook)] : []),
      port('metrics', metrics.containerPort),
      port('health', containerPorts.health),
    ],
    livenessProbe: probe('/healthz', values.livenessProbe),
    readinessProbe: probe('/readyz', values.readinessProbe),
    resources: values.resources,
    ...contextOf(values.containerSecurityContext),
    ...given({ volumeMounts: mountsOf(install) }),
  }
}

/** The flags that other objects of the installation depend on: ports, leases, accounts. */
export function processArgs(install: Install): readonly string[] {
  const { metrics, containerPorts, operator } = install.values
  const accounts = install.operators.map(({ name }) => `${name}=${accountOfOperator(install, name)}`)
  return [
    `--metrics-bind-address=:${metrics.containerPort}`,
    `--health-probe-bind-address=:${containerPorts.health}`,
    ...(admits(install) && containerPorts.webhook !== 9443 ? [`--webhook-bind-address=:${containerPorts.webhook}`] : []),
    ...authorityArgs(install),
    ...(operator.leaderElection.enabled ? electionArgs(operator.leaderElection) : []),
    ...(operator.leaderElection.namespace === '' ? [] : [`--leader-election-namespace=${operator.leaderElection.namespace}`]),
    ...(install.operators.length > 1 ? [`--operator-accounts=${accounts.join(',')}`] : []),
  ]
}

function electionArgs({ shards }: Install['values']['operator']['leaderElection']): readonly string[] {
  return ['--leader-elect', ...(shards === 0 ? [] : [`--shards=${shards}`])]
}

/** Whether the API server asks this process about requests. */
export function admits({ operators }: Pick<Install, 'operators'>): boolean {
  return operators.some(({ needs }) => needs.webhooks.length > 0)
}

/** `repository:tag`; `repository@digest` where there is a digest, because a digest never names another image. */
export function imageOf({ registry, repository, tag, digest }: ImageValues, appVersion: string, global: string): string {
  const where = global || registry
  const name = where === '' ? repository : `${where}/${repository}`
  return digest === '' ? `${name}:${tag || appVersion}` : `${name}@${digest}`
}

function probe(path: string, values: ProbeValues): object {
  return { httpGet: { path, port: 'health' }, ...values }
}

/** `enabled` is a value of the chart; the other fields are Kubernetes's and are passed on. */
function contextOf({ enabled, ...context }: Passed & { readonly enabled: boolean }): object {
  return enabled ? { securityContext: context } : {}
}

/** The fields that have a value: an empty text, list or map is left out. */
function given(fields: Readonly<Record<string, string | readonly unknown[] | Passed>>): object {
  const isEmpty = (value: string | readonly unknown[] | Passed): boolean =>
    typeof value === 'string' ? value === '' : Object.keys(value).length === 0
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

/** The folder in which the process looks for its serving certificate and key. */
const servingFolder = '/tmp/k8s-webhook-server/serving-certs'

function mountsOf(install: Install): readonly object[] {
  return [
    ...mounts(install).map(({ name, mountPath }) => ({ name, mountPath, readOnly: true })),
    ...install.volumes.map(({ volume, mountPath }) => ({ name: volume.name, mountPath, readOnly: true })),
    ...(mountsPair(install) ? [{ name: 'serving', mountPath: servingFolder, readOnly: true }] : []),
    ...install.values.extraVolumeMounts,
  ]
}

function volumesOf(install: Install): readonly object[] {
  return [
    ...mounts(install).map(({ name, configMap }) => ({ name, configMap: { name: configMap } })),
    ...install.volumes.map(({ volume }) => volume),
    ...(mountsPair(install) ? [{ name: 'serving', secret: { secretName: servingSecret(install) } }] : []),
    ...install.values.extraVolumes,
  ]
}

function mounts({ operators }: Install): readonly Mount[] {
  return operators.flatMap(({ needs }) => needs.mounts)
}

function mountsPair(install: Install): boolean {
  return admits(install) && !keepsAuthority(install)
}

/** The Secret with the serving pair. Throws where the values name no Secret, or no authority that the API server could trust. */
function servingSecret(install: Install): string {
  const { source, secretName, caBundle } = install.values.webhookCertificate
  if (source === 'cert-manager') return `${fullnameOf(install)}-webhook-tls`
  if (secretName === '' || caBundle === '')
    throw new Error('webhookCertificate.source=secret needs webhookCertificate.secretName and webhookCertificate.caBundle')
  return secretName
}
