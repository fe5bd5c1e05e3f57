import type { KubeObject } from '#kube'
import { type WebhookContainer, webhookContainer } from '../api.ts'
import { skipLabel } from '../aws/api.ts'
import { clientCaName, isMounted, labelsOf, namespaced, ports, secretNameOf } from './names.ts'
import type { ManifestOptions } from './options.ts'

export const certificateFolder = '/etc/webhook/certs'
const clientCaFolder = '/etc/webhook/client-ca'

export function service(options: ManifestOptions): KubeObject {
  const spec = {
    selector: selectorOf(options),
    ports: [{ name: 'https', port: 443, targetPort: 'https', protocol: 'TCP' }],
  }
  return { apiVersion: 'v1', kind: 'Service', metadata: namespaced(options), spec } as KubeObject
}

export function disruptionBudget(options: ManifestOptions): KubeObject {
  const spec = { minAvailable: 1, selector: { matchLabels: selectorOf(options) } }
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: namespaced(options), spec } as KubeObject
}

/** What else the container does, where it is more than the webhook of AWS. */
export type ChangeContainer = (container: WebhookContainer) => WebhookContainer

export function deployment(options: ManifestOptions, change: ChangeContainer = container => container): KubeObject {
  const mounts = mountsOf(options)
  const spec = {
    replicas: options.replicas,
    // A new pod serves before an old one goes.
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    selector: { matchLabels: selectorOf(options) },
    template: {
      // Never sent to ourselves: a webhook that has to admit its own pods does not come back.
      metadata: { labels: { ...labelsOf(options), [skipLabel]: 'true' } },
      spec: {
        serviceAccountName: options.name,
        priorityClassName: 'system-cluster-critical',
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65_532,
          runAsGroup: 65_532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: selectorOf(options) },
          },
        ],
        containers: [
          change(
            webhookContainer({
              image: options.image,
              args: argumentsOf(options),
              ports,
              mounts: mounts.map(({ name, path }) => ({ name, mountPath: path })),
            }),
          ),
        ],
        ...(mounts.length === 0 ? {} : { volumes: mounts.map(({ name, source }) => ({ name, ...source })) }),
      },
    },
  }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: namespaced(options), spec } as KubeObject
}

interface Mount {
  readonly name: string
  readonly path: string
  readonly source: object
}

function mountsOf(options: ManifestOptions): readonly Mount[] {
  const { clientCa } = options
  return [
    ...(isMounted(options)
      ? [{ name: 'cert', path: certificateFolder, source: { secret: { secretName: secretNameOf(options) } } }]
      : []),
    ...(clientCa === ''
      ? []
      : [{ name: 'client-ca', path: clientCaFolder, source: { configMap: { name: clientCaName(options) } } }]),
  ]
}

function argumentsOf(options: ManifestOptions): readonly string[] {
  const { namespace, name, watchConfigMap, clientCa, args } = options
  return [
    ...certificateArguments(options),
    `--namespace=${namespace}`,
    `--service-name=${name}`,
    `--port=${ports.https}`,
    `--metrics-port=${ports.metrics}`,
    `--health-addr=:${ports.health}`,
    // Endpoints forget a pod that goes a moment after it was told to.
    '--shutdown-delay=5s',
    ...(watchConfigMap ? ['--watch-config-map'] : []),
    ...(clientCa === '' ? [] : [`--client-ca-file=${clientCaFolder}/ca.crt`]),
    ...args,
  ]
}

function certificateArguments(options: ManifestOptions): readonly string[] {
  const { kind } = options.certificate
  const secret = `--tls-secret=${secretNameOf(options)}`
  if (kind === 'own') return ['--in-cluster=false', secret, `--webhook-configuration=${options.name}`]
  return kind === 'cluster' ? ['--in-cluster=true', secret] : ['--in-cluster=false']
}

export function selectorOf({ name }: ManifestOptions): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name }
}
