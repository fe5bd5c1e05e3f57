// Where a pod may run that is held back by a gate: until it is let go, less and less.
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, shownList } from '../checks.ts'
import { shownForm } from '../forms/form.ts'
import { nodeTerm } from '../forms/placement.ts'

const at = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'

export function checkGatedPlacement(spec: JsonObject, old: JsonObject, errors: Errors): void {
  const selector = objectOf(spec.nodeSelector)
  const areKept = Object.entries(objectOf(old.nodeSelector)).every(([name, value]) => selector[name] === value)
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
  if (!areKept) errors.push(fieldError.invalid('spec.nodeSelector', spec.nodeSelector, why))
  checkTerms(termsOf(spec), listOf(termsOf(old)), errors)
}

function termsOf({ affinity }: JsonObject): Json | undefined {
  const { nodeAffinity } = objectOf(affinity)
  return objectOf(objectOf(nodeAffinity).requiredDuringSchedulingIgnoredDuringExecution).nodeSelectorTerms
}

/** Terms are alternatives, so that one more would be more nodes; each may ask for more. */
function checkTerms(terms: Json | undefined, before: readonly Json[], errors: Errors): void {
  if (before.length === 0) return
  if (listOf(terms).length !== before.length) {
    const why = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'
    errors.push({
      ...fieldError.invalid(
        at,
        shownList(terms, term => shownForm(term, nodeTerm)),
        why,
      ),
      ordered: true,
    })
    return
  }
  eachItem(terms, at, (term, path, index) => {
    const was = objectOf(before[index])
    const isNarrower = ['matchExpressions', 'matchFields'].every(field => beginsWith(listOf(term[field]), listOf(was[field])))
    const why = 'only additions are allowed (no mutations or deletions)'
    if (!isNarrower) errors.push({ ...fieldError.invalid(path, shownForm(term, nodeTerm), why), ordered: true })
  })
}

function beginsWith(list: readonly Json[], beginning: readonly Json[]): boolean {
  return beginning.every((item, index) => jsonEqual(item, list[index]))
}

/** With the nodes of another pod; nearness to other pods stays as it is. */
export function withPlacementOf(old: JsonObject, spec: JsonObject): JsonObject {
  const { nodeSelector: _nodes, affinity: _affinity, ...rest } = spec
  const affinity = affinityWith(objectOf(old.affinity).nodeAffinity, spec.affinity, isObject(old.affinity))
  return {
    ...rest,
    ...(old.nodeSelector !== undefined && { nodeSelector: old.nodeSelector }),
    ...(affinity !== undefined && { affinity }),
  }
}

/** An affinity that says something of nodes and nothing else is none where there was none. */
function affinityWith(nodeAffinity: Json | undefined, now: Json | undefined, wasThere: boolean): Json | undefined {
  const { nodeAffinity: added, ...pods } = objectOf(now)
  const saysNothingElse = Object.keys(pods).length === 0
  if (nodeAffinity !== undefined) return { ...pods, nodeAffinity }
  return !isObject(now) || (!wasThere && added !== undefined && saysNothingElse) ? undefined : pods
}
