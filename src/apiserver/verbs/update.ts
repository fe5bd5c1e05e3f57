// PUT: replaces an object, or creates it where the kind allows that.

import { andThen, type Maybe } from '#base'
import { draftFrom } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { badRequest, conflict } from '../refusals.ts'
import { storageKey } from '../registry/storage-key.ts'
import { createDraft } from './create.ts'
import { decodeObject } from './decode.ts'
import { type RequestWriteOptions, readWriteOptions } from './options.ts'
import type { CreatePorts } from './ports.ts'
import { answerWith, findLive } from './subject.ts'
import { updateObject } from './update-flow.ts'

export function update(ports: CreatePorts, call: ResourceCall): Maybe<Reply> {
  const options = readWriteOptions(call, 'UpdateOptions')
  const draft = decodeObject(call, options, ports.decodeProtobuf)
  const { kind, info } = call
  matchName(draft.metadata.name, info.name)
  draft.metadata.name ??= info.name
  if (kind.resource.namespaced) {
    draft.metadata.namespace ??= info.namespace
    if (draft.metadata.namespace !== info.namespace) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
    }
  }
  const live = findLive(ports, call)
  if (live === undefined && kind.resource.behaviour.createOnUpdate && info.subresource === '') {
    ports.allow(call, 'create')
    const { uid } = draft.metadata
    if (uid !== undefined && uid !== '') throw otherUid(call, options, uid, '')
    return andThen(createDraft(ports, call, draft, options), version => answerWith(ports, kind, 201, version))
  }
  const step = {
    options,
    next: (current: Readonly<typeof draft>) => {
      const { uid } = draft.metadata
      if (uid !== undefined && uid !== '' && uid !== current.metadata.uid)
        throw otherUid(call, options, uid, current.metadata.uid ?? '')
      return draftFrom(draft)
    },
  }
  return andThen(updateObject(ports, call, step), version => answerWith(ports, kind, 200, version))
}

export function otherUid(call: ResourceCall, options: Pick<RequestWriteOptions, 'dryRun'>, wanted: string, found: string): Error {
  return failedPrecondition(call, options, `UID in precondition: ${wanted}, UID in object meta: ${found}`)
}

export function otherRevision(
  call: ResourceCall,
  options: Pick<RequestWriteOptions, 'dryRun'>,
  wanted: string,
  found: string,
): Error {
  return failedPrecondition(call, options, `ResourceVersion in precondition: ${wanted}, ResourceVersion in object meta: ${found}`)
}

function failedPrecondition({ kind, info }: ResourceCall, { dryRun }: Pick<RequestWriteOptions, 'dryRun'>, what: string): Error {
  const key = storageKey(kind.resource, { ...info, dryRun })
  const why = `Precondition failed: ${what}`
  return conflict(
    kind.resource,
    info.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  )
}

function matchName(inBody: string | undefined, inUrl: string): void {
  if (inBody === undefined || inBody === '')
    throw badRequest(`the name of the object (${inUrl} based on URL) was undeterminable: name must be provided`)
  if (inBody === inUrl) return
  throw badRequest(`the name of the object (${inBody}) does not match the name on the URL (${inUrl})`)
}
