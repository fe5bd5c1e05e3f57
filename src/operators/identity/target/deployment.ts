// The Deployment of the webhook: what of it is ours, and whether it serves.
import { given, isRecord } from '#base'
import type { KubeObject, StoredObject } from '#kube'
import { type WebhookContainer, webhookContainer } from '../../pods/api.ts'
import { type Loose, type PlainFields, runtimeLabels, runtimeName } from './kinds.ts'
import { hasLabels, isSame, over, replaced, withItem } from './merge.ts'

export const fingerprintAnnotation = 'aws.identity.appthrust.io/serving-cert-sha256'
export const skipLabel = 'eks.amazonaws.com/skip-pod-identity-webhook'

export interface DeploymentWanted {
  readonly namespace: string
  readonly image: string
  readonly fingerprint: string
  /** 1 unless the platform says otherwise. */
  readonly replicas?: number
}

/** With the mode that a server fills in. */
const certVolume = { name: 'cert', secret: { secretName: runtimeName, defaultMode: 420 } }

const selector = { matchLabels: { 'app.kubernetes.io/name': runtimeName } }

export function newDeployment(wanted: DeploymentWanted): KubeObject & { readonly spec: PlainFields } {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: runtimeName, namespace: wanted.namespace, labels: runtimeLabels },
    spec: { ...mergedSpec({}, wanted), selector },
  }
}

/** The object to send, or `undefined` when what is there will do. */
export function mergedDeployment(object: StoredObject, wanted: DeploymentWanted): StoredObject | undefined {
  const { spec = {} } = object as Loose
  const merged = mergedSpec(spec, wanted)
  return isSame(merged, spec) && hasLabels(object, runtimeLabels) ? undefined : replaced(object, runtimeLabels, { spec: merged })
}

/** A selector cannot be changed: with another one the Deployment has to be deleted first. */
export function hasOtherSelector(object: StoredObject): boolean {
  return !isSame((object as Loose).spec?.selector, selector)
}

export interface Serving {
  /** Why the newest state of it is not up; `undefined` when it is. */
  readonly lag?: { readonly reason: DeploymentReason; readonly message: string }
  /** Pods of it, be they of an earlier state, take calls. */
  readonly serves: boolean
  /** No Pod of an earlier state is left. */
  readonly settled: boolean
}

export type DeploymentReason =
  | 'WaitingForWebhookDeployment'
  | 'WebhookDeploymentObservedGenerationLag'
  | 'WebhookDeploymentRolloutInProgress'
  | 'WebhookDeploymentReplicasUnavailable'

export function servingOf(object: StoredObject): Serving {
  const { spec = {}, status = {} } = object as Loose
  const count = (name: string): number => (typeof status[name] === 'number' ? status[name] : 0)
  const desired = typeof spec.replicas === 'number' ? spec.replicas : 1
  const lag = lagOf(object, { desired, count })
  const serves = count('availableReplicas') > 0
  return {
    ...given({ lag }),
    serves,
    settled: lag === undefined && count('replicas') === count('updatedReplicas'),
  }
}

/** When its controller has given up waiting, it is most often the image. */
function stuckText(object: StoredObject): string {
  const { spec, status } = object as Loose
  const conditions = Array.isArray(status?.conditions) ? status.conditions.filter(isRecord) : []
  const isStuck = conditions.some(({ type, status: said }) => type === 'Progressing' && said === 'False')
  if (!isStuck) return '; its events and Pods say why'
  const template = isRecord(spec?.template) && isRecord(spec.template.spec) ? spec.template.spec : {}
  const containers = Array.isArray(template.containers) ? template.containers.filter(isRecord) : []
  const { image } = containers.find(({ name }) => name === 'webhook') ?? {}
  const look = `kubectl -n ${object.metadata.namespace ?? ''} describe pods -l app.kubernetes.io/name=${runtimeName}`
  return `, and their time to start is over: ${look} says why; if it is the image ${typeof image === 'string' ? image : ''}, name another by --pod-identity-webhook-image`
}

type Counts = { readonly desired: number; readonly count: (name: string) => number }

/** The first that fails gives the reason. */
function lagOf(object: StoredObject, { desired, count }: Counts): Serving['lag'] {
  const name = `Deployment ${object.metadata.namespace ?? ''}/${object.metadata.name}`
  if (count('observedGeneration') < (object.metadata.generation ?? 0)) {
    return { reason: 'WebhookDeploymentObservedGenerationLag', message: `${name} has not been taken up yet` }
  }
  if (count('updatedReplicas') < desired) {
    return { reason: 'WebhookDeploymentRolloutInProgress', message: `${name} is being rolled out` }
  }
  if (count('availableReplicas') < desired) {
    const message = `${name} has fewer Pods available than it wants${stuckText(object)}`
    return { reason: 'WebhookDeploymentReplicasUnavailable', message }
  }
  const conditions = (object as Loose).status?.conditions
  const isAvailable =
    Array.isArray(conditions) && conditions.some(item => isRecord(item) && item.type === 'Available' && item.status === 'True')
  return isAvailable ? undefined : { reason: 'WaitingForWebhookDeployment', message: `${name} does not say that it is available` }
}

/** Sidecars, volumes, tolerations, strategy, extra labels and annotations of others stay as they are. */
function mergedSpec(spec: PlainFields, wanted: DeploymentWanted): PlainFields {
  const template = isRecord(spec.template) ? spec.template : {}
  const metadata = isRecord(template.metadata) ? template.metadata : {}
  const pod = isRecord(template.spec) ? template.spec : {}
  return {
    ...spec,
    replicas: wanted.replicas ?? 1,
    template: {
      ...template,
      metadata: {
        ...metadata,
        labels: over(metadata.labels, { ...runtimeLabels, [skipLabel]: 'true' }),
        annotations: over(metadata.annotations, { [fingerprintAnnotation]: wanted.fingerprint }),
      },
      spec: {
        ...pod,
        serviceAccountName: runtimeName,
        // The older name of the same field, which the server keeps equal; leaving another value here would win.
        serviceAccount: runtimeName,
        restartPolicy: 'Always',
        dnsPolicy: 'ClusterFirst',
        schedulerName: 'default-scheduler',
        terminationGracePeriodSeconds: 30,
        securityContext: over(pod.securityContext, { seccompProfile: { type: 'RuntimeDefault' } }),
        containers: withItem(pod.containers, container(wanted)),
        volumes: withItem(pod.volumes, certVolume),
      },
    },
  }
}

/** With every default that a server fills in, so that what is stored equals what is wanted [M1, L7]. */
function container({ image, namespace }: DeploymentWanted): WebhookContainer {
  return webhookContainer({
    image,
    args: [
      '--in-cluster=false',
      `--namespace=${namespace}`,
      `--service-name=${runtimeName}`,
      '--annotation-prefix=eks.amazonaws.com',
      '--token-audience=sts.amazonaws.com',
    ],
    // The Service leads to this port, whichever image runs: both may run at once while one takes the place of the other.
    ports: { https: 443 },
    mounts: [{ name: 'cert', mountPath: '/etc/webhook/certs' }],
  })
}
