// Resources that another operator of ours made by calls of its own carry its marks: the uid of the object that they are for, and its name.
// An object of this operator takes one over only where it is that object's own child: it is controlled by it, in its namespace.

import { controllerOf } from '#kube'
import { labels, ownerLabel } from '../../identity/api.ts'
import type { Resource } from '../api.ts'
import type { Tags } from '../model/tags.ts'

const uidTags = [labels.bindingUid, labels.configUid]

/** The tag of the other operator's object that stands in the way; `undefined` where none does. */
export function foreignOwner(tags: Tags, claim: Resource): string | undefined {
  const marked = uidTags.find(tag => tags[tag] !== undefined)
  if (marked === undefined) return undefined
  const parent = controllerOf(claim)
  // Who may write in another namespace can write an owner reference, too; the namespace of the object that it names he cannot choose.
  const isChild =
    parent !== undefined &&
    tags[marked] === parent.uid &&
    tags[labels.ownerRef] === ownerLabel({ namespace: claim.metadata.namespace ?? '', name: parent.name })
  return isChild ? undefined : marked
}
