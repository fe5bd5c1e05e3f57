// The objects of the runtime on a target as they are when all is made and up, with certificates made at `made`.
import { seededRandom } from '#base'
import { type DrawnKeys, drawKeys, fingerprintOf, issueCa, issueServing, type Pair } from '../target/certificates.ts'
import { newDeployment } from '../target/deployment.ts'
import type { Found, RuntimeObjects } from '../target/found.ts'
import { runtimeLabels } from '../target/kinds.ts'
import {
  caSecret,
  clusterRole,
  clusterRoleBinding,
  newObject,
  service,
  serviceAccount,
  servingSecret,
  webhookConfiguration,
} from '../target/objects.ts'
import { pooledKeys } from './keys.fixture.ts'

export const namespace = 'hooks'
export const image = 'webhook:1'
export const made: number = Date.parse('2026-01-01T00:00:00Z')

const keys = pooledKeys(4)
const random = seededRandom(1)
/** Of the authority before. */
export const earlier: Pair = issueCa(await drawKeys(keys, random), made)
export const drawn: DrawnKeys = await drawKeys(keys, random)
export const ca: Pair = issueCa(drawn, made)
export const serving: Pair = issueServing(drawn, ca, namespace, made)

export const absent: Found = { kind: 'absent' }
export const ours = (object: object): Found => ({ kind: 'ours', object: object as never })
export const foreign = (object: object): Found => ({ kind: 'foreign', object: object as never })

/** Read from a server, which gave it a uid and a version. */
function stored(object: { readonly metadata: object }): Found {
  return ours({ ...object, metadata: { ...object.metadata, uid: 'u', resourceVersion: '7', generation: 1 } })
}

/** The same object with something else in it. */
export function changed(
  found: Found,
  { metadata = {}, ...parts }: { readonly metadata?: object; readonly [part: string]: unknown },
): Found {
  if (found.kind === 'absent') return found
  return { ...found, object: { ...found.object, ...parts, metadata: { ...found.object.metadata, ...metadata } } as never }
}

export const up: Readonly<Record<string, unknown>> = {
  observedGeneration: 1,
  replicas: 1,
  updatedReplicas: 1,
  availableReplicas: 1,
  conditions: [{ type: 'Available', status: 'True' }],
}

export const asWanted: RuntimeObjects = {
  caSecret: stored(newObject(caSecret(namespace, ca))),
  servingSecret: stored(newObject(servingSecret(namespace, serving))),
  serviceAccount: stored(newObject(serviceAccount(namespace))),
  clusterRole: stored(newObject(clusterRole())),
  clusterRoleBinding: stored(newObject(clusterRoleBinding(namespace))),
  service: stored(newObject(service(namespace))),
  deployment: changed(stored(newDeployment({ namespace, image, fingerprint: fingerprintOf(serving.certificate) })), {
    status: up,
  }),
  webhook: stored(newObject(webhookConfiguration(namespace, ca.certificate))),
}

/** Ours without the name. */
export const labelsButOne: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(runtimeLabels).filter(([label]) => label !== 'app.kubernetes.io/name'),
)
