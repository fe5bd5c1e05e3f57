// Conflicts as the server words them: who, by which version, which paths.
import { compareText } from '#base'
import type { StatusCause } from '#kube'
import { eachPath } from './field-set.ts'
import { identityOf, type Owner } from './managers.ts'
import type { Conflict } from './ownership.ts'
import { renderPath } from './path-element.ts'

export function conflictCauses(conflicts: readonly Conflict[]): readonly StatusCause[] {
  return byOwner(conflicts).flatMap(({ owner, paths }) =>
    paths.map(field => ({ reason: 'FieldManagerConflict', message: `conflict with ${renderOwner(owner)}`, field })),
  )
}

export function conflictMessage(conflicts: readonly Conflict[]): string {
  const owners = byOwner(conflicts)
  const count = owners.reduce((sum, { paths }) => sum + paths.length, 0)
  const [first] = owners
  if (count === 1 && first !== undefined)
    return `Apply failed with 1 conflict: conflict with ${renderOwner(first.owner)}: ${first.paths[0]}`
  const parts = owners.map(
    ({ owner, paths }) => `conflicts with ${renderOwner(owner)}:\n${paths.map(path => `- ${path}`).join('\n')}`,
  )
  return `Apply failed with ${count} conflicts: ${parts.join('\n')}`
}

function byOwner(conflicts: readonly Conflict[]): readonly { owner: Owner; paths: readonly string[] }[] {
  const sorted = [...conflicts].sort((a, b) => compareText(identityOf(a.owner), identityOf(b.owner)))
  return sorted.map(({ owner, set }) => {
    const paths: string[] = []
    eachPath(set, path => paths.push(renderPath(path)))
    return { owner, paths }
  })
}

/** Appliers go by name; updaters also by the version they wrote at, since that is part of who they are. */
function renderOwner(owner: Owner): string {
  const subresource = owner.subresource === '' ? '' : ` with subresource ${JSON.stringify(owner.subresource)}`
  const version = owner.operation === 'Update' ? ` using ${owner.apiVersion}` : ''
  return `${JSON.stringify(owner.manager)}${subresource}${version}`
}
