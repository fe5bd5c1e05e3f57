// Claims of devices that a pod makes, for its containers to ask for.
import { dnsLabelErrors, dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import type { Json, JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, say, text } from '../checks.ts'
import { shownForm } from '../forms/form.ts'
import { deviceClaim } from '../forms/pods.ts'

const sources = ['resourceClaimName', 'resourceClaimTemplateName'] as const

export function checkDeviceClaims(claims: Json | undefined, at: string, errors: Errors): void {
  const names = new Set<string>()
  eachItem(claims, at, (claim, path) => {
    const name = text(claim.name)
    if (name === '') errors.push(fieldError.required(`${path}.name`))
    else if (names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name))
    else say(errors, `${path}.name`, name, dnsLabelErrors(name))
    names.add(name)
    checkSource(claim, path, errors)
  })
}

function checkSource(claim: JsonObject, at: string, errors: Errors): void {
  const given = sources.filter(source => claim[source] !== undefined)
  const many = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
  const none = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
  if (given.length !== 1)
    errors.push({
      ...fieldError.invalid(at, shownForm(claim, deviceClaim), given.length === 0 ? none : many),
      ordered: true,
    })
  for (const source of given) say(errors, `${at}.${source}`, claim[source], dnsSubdomainErrors(text(claim[source])))
}

/** What containers may ask for. */
export function namesOfClaims({ resourceClaims }: JsonObject): ReadonlySet<string> {
  return new Set(listOf(resourceClaims).map(claim => text(objectOf(claim).name)))
}
