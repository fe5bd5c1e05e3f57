// What AWS counts of a resource as others come to hang on it. A claim tells such a count as of its last look, as ACK does: no event and no call
// about the resource itself says that the count changed.
import type { AwsObject } from './objects.ts'

export interface CountInAws {
  /** The field of the claim's status. */
  readonly field: string
  readonly is: number
}

/** A zone has these two from its first moment, and no object stands for them. */
const ownRecords = 2

/** `undefined` for what has no such count. */
export function countIn(objects: readonly AwsObject[], { kind, metadata }: AwsObject): CountInAws | undefined {
  const count = (isCounted: (object: AwsObject) => boolean): number => objects.filter(isCounted).length
  switch (kind) {
    case 'Policy': {
      const arn = `arn:aws:iam::${metadata.namespace}:policy/${metadata.name}`
      const attached = ({ spec }: AwsObject): readonly unknown[] => (spec['attached'] ?? []) as readonly unknown[]
      return { field: 'attachmentCount', is: count(object => object.kind === 'Role' && attached(object).includes(arn)) }
    }
    case 'HostedZone': {
      const isIn = (object: AwsObject): boolean =>
        object.kind === 'RecordSet' && object.metadata.name?.startsWith(`${metadata.name}/`) === true
      return { field: 'resourceRecordSetCount', is: ownRecords + count(isIn) }
    }
    default:
      return undefined
  }
}
