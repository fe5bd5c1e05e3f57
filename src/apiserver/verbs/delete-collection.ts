// DELETE on a collection: a list like any other, a page of it when a limit is given, each object deleted with the same options.

import { andThen, type Maybe } from '#base'
import { StatusError } from '#kube'
import type { ListReply, Reply, ResourceCall } from '../http/call.ts'
import type { Version } from '../store/version.ts'
import { type DeleteRequest, readDeleteOptions, removeObject, warnOfOrphans } from './delete.ts'
import type { ReadPorts, RemovePorts } from './ports.ts'
import { list } from './read.ts'

interface RemoveCollectionPorts extends RemovePorts, ReadPorts {}

export function removeCollection(ports: RemoveCollectionPorts, call: ResourceCall): Maybe<Reply> {
  const options = readDeleteOptions(ports, call)
  warnOfOrphans(call, options)
  return andThen(list(ports, call), page => removeListed(ports, call, options, page))
}

/** The answer is the list as it was read, less what was gone already. */
function removeListed(ports: RemovePorts, call: ResourceCall, options: DeleteRequest, page: ListReply): Maybe<Reply> {
  const removed: Version[] = []
  const next = (index: number): Maybe<Reply> => {
    const version = page.versions[index]
    if (version === undefined) return { ...page, versions: removed }
    const { name, namespace = '' } = version.object.metadata
    const one: ResourceCall = { ...call, info: { ...call.info, verb: 'delete', name, namespace } }
    return andThen(removeOne(ports, one, options), deletion => {
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
