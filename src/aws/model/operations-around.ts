// The operations that an API has around a resource, known by their names alone: `TagRole`, `AttachRolePolicy`, `PutBucketPolicy`. What is
// kept of a model for a kind, and what an operator asks to be allowed for it, must be the same.

const verbs = 'Put|Attach|Detach|Tag|Untag|List|ListAttached|Get|Delete|Update|Associate|Disassociate|Set|Modify|Reset'
const tagging =
  /^(?:Tag|Untag)Resource$|^(?:Get|Describe|Add|Remove|Create|Delete)Tags$|^ListTags(?:ForResource|OfResource)?$|^ListResourceTags$|^(?:Add|Remove|Change|List)Tags?(?:To|From|For|Of)\w+$/

/** A test of names of operations; those that tag whatever resource there is count as well. */
export function aroundResource(resource: string): (operation: string) => boolean {
  const patterns = [
    `(?:${verbs})${resource}(?=[A-Z]|s(?=[A-Z]|$)|$)`,
    `(?:Create|SetDefault)${resource}Versions?$`,
    `(?:Add|Remove)\\w+(?:To|From)${resource}$`,
  ]
  const around = new RegExp(`^(?:${patterns.join('|')})`)
  return operation => around.test(operation) || tagging.test(operation)
}
