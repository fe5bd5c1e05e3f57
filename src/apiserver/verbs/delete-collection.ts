// DELETE on a collection: the list's selection, each object deleted with the same options.

import { andThen, type Maybe } from '#base'
import { StatusError } from '#kube'
import type { Reply, ResourceCall } from '../http/call.ts'
import type { Version } from '../store/version.ts'
import { type DeleteRequest, readDeleteOptions, removeObject, warnOfOrphans } from './delete.ts'
import type { RemovePorts } from './ports.ts'
import { readSelection } from './selection.ts'
import { shownAs, tableOf } from './subject.ts'

export function removeCollection(ports: RemovePorts, call: ResourceCall): Maybe<Reply> {
  const options = readDeleteOptions(ports, call)
  warnOfOrphans(call, options)
  const selection = readSelection(call)
  const rows: Version[] = []
  tableOf(ports, call.kind).rows.visit(selection.keyPrefix, (version, key) => {
    if (!key.startsWith(selection.keyPrefix)) return false
    rows.push(version)
    return true
  })
  return andThen(ports.converter.prepare(rows, call.kind), () => {
    const chosen = rows.map(version => shownAs(version, call.kind)).filter(({ object }) => selection.matches(object))
    return removeChosen(ports, call, options, chosen)
  })
}

function removeChosen(ports: RemovePorts, call: ResourceCall, options: DeleteRequest, chosen: readonly Version[]): Maybe<Reply> {
  const removed: Version[] = []
  const next = (index: number): Maybe<Reply> => {
    const version = chosen[index]
    if (version === undefined) {
      return { type: 'list', metadata: { resourceVersion: String(ports.store.revision) }, versions: removed }
    }
    const { name, namespace = '' } = version.object.metadata
    const one: ResourceCall = { ...call, info: { ...call.info, verb: 'delete', name, namespace } }
    return andThen(removeOne(ports, one, options), deletion => {
      // The answer is the list as it was read.
      if (deletion !== undefined) removed.push(version)
      return next(index + 1)
    })
  }
  return next(0)
}

/** Somebody else may delete it first, which is as good. */
function removeOne(
  ports: RemovePorts,
  call: ResourceCall,
  options: Parameters<typeof removeObject>[2],
): Maybe<Version | undefined> {
  const isGone = (error: unknown): boolean => error instanceof StatusError && error.code === 404
  try {
    const deletion = removeObject(ports, call, options)
    if (!(deletion instanceof Promise)) return deletion.version
    return deletion.then(
      ({ version }) => version,
      (error: unknown) => {
        if (isGone(error)) return undefined
        throw error
      },
    )
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}
