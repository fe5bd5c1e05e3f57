// What is there in AWS already when its child is made: the other way of writing made it (`--aws-writer direct`), or the object was deleted
// and what it stood for kept. It is taken over, and not made a second time, where the parent's status has it on record as its own. A
// record is no proof, since names are reused: the tag that names the parent's uid is, and whoever makes the resource compares it.
import type { StoredObject } from '#kube'
import type { Child } from './child.ts'
import type { AckResourceEntry } from './entry.ts'
import { policyKind, providerKind } from './kinds.ts'

const policy = 'services.k8s.aws/adoption-policy'
const fields = 'services.k8s.aws/adoption-fields'
/** Of our operator of resources; ACK's own do not look at it. */
const tag = 'services.k8s.aws/adoption-tag'

interface Recorded extends StoredObject {
  readonly status?: {
    readonly ackResources?: readonly AckResourceEntry[]
    readonly generatedPolicyARN?: string
    readonly oidcProviderARN?: string
  }
}

/** The child as it is to be written, told to take over what is on record. What an object was told once, it goes on to be told. */
export function adopting(child: Child, actual: StoredObject | undefined): Child {
  const told = actual === undefined ? wishOf(child) : toldTo(actual)
  const { object } = child
  if (Object.keys(told).length === 0) return child
  const annotations = { ...object.metadata.annotations, ...told }
  return { ...child, object: { ...object, metadata: { ...object.metadata, annotations } } }
}

function wishOf({ kind, parent, object }: Child): Readonly<Record<string, string>> {
  const { status } = parent.object as Recorded
  const isListed = status?.ackResources?.some(
    entry => entry.kind === kind.type.kind && entry.name === object.metadata.name && entry.apiVersion === object.apiVersion,
  )
  const recorded = kind === policyKind ? status?.generatedPolicyARN : kind === providerKind ? status?.oidcProviderARN : undefined
  // A recorded ARN with another name in it is not the ARN of this child, whoever wrote it.
  const arn = recorded?.endsWith(`/${nameInArn(object.spec)}`) === true ? recorded : undefined
  if (isListed !== true && arn === undefined) return {}
  return {
    [policy]: 'adopt-or-create',
    [tag]: parent.uidLabel,
    // Policies and providers are found by their ARN alone.
    ...(arn === undefined ? {} : { [fields]: JSON.stringify({ arn }) }),
  }
}

function nameInArn({ name, url }: Child['object']['spec']): string {
  return typeof url === 'string' ? url.replace(/^https:\/\//, '') : String(name)
}

function toldTo({ metadata }: StoredObject): Readonly<Record<string, string>> {
  const { annotations = {} } = metadata
  // An adoption policy without our tag was written by somebody else, and stays.
  if (annotations[tag] === undefined) return {}
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => [policy, tag, fields].includes(name)))
}
