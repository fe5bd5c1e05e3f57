// What a watch asks for, checked the way the API server checks it.

import { type FieldError, fieldError } from '#schema'
import type { EmulatedVersion } from '../emulated-version.ts'
import type { ResourceCall } from '../http/call.ts'
import { badRequest, invalid } from '../refusals.ts'
import { readRevision } from '../verbs/read.ts'

export interface WatchRequest {
  /** Events after this revision; undefined begins with the present state. */
  readonly after: number | undefined
  /** The present state is wanted at this revision or later. */
  readonly notOlderThan: number
  /** The state at the beginning ends with an annotated bookmark. */
  readonly announceInitialEnd: boolean
  readonly bookmarks: boolean
  readonly timeoutSeconds: number | undefined
}

export function readWatchOptions(call: ResourceCall, emulate: EmulatedVersion): WatchRequest {
  const { query } = call
  const version = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  const initial = query.get('sendInitialEvents')
  const asksInitial = initial !== undefined && initial !== ''
  checkOptions({ match, asksInitial, hasContinue: (query.get('continue') ?? '') !== '', emulate })
  const bookmarks = query.flag('allowWatchBookmarks')
  const revision = version === '' ? 0 : readRevision(version)
  const sendInitial = asksInitial ? query.flag('sendInitialEvents') : revision === 0
  return {
    after: sendInitial ? undefined : revision,
    notOlderThan: sendInitial ? revision : 0,
    announceInitialEnd: asksInitial && sendInitial && bookmarks,
    bookmarks,
    timeoutSeconds: readTimeout(query.get('timeoutSeconds')),
  }
}

function checkOptions(given: { match: string; asksInitial: boolean; hasContinue: boolean; emulate: EmulatedVersion }): void {
  const errors: FieldError[] = []
  const forbid = (field: string, detail: string): void => void errors.push({ type: 'FieldValueForbidden', field, detail })
  if (given.match !== '') {
    if (!given.asksInitial)
      forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')
    else if (given.match !== 'NotOlderThan')
      forbid('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
    if (given.match !== 'NotOlderThan')
      errors.push(fieldError.notSupported('resourceVersionMatch', given.match, ['NotOlderThan']))
  }
  // A watch has no pages, with a match or without one.
  if (given.hasContinue) forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided')
  if (given.asksInitial) {
    if (given.match === '')
      forbid('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
    if (given.emulate === '1.33') {
      forbid('sendInitialEvents', 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled')
    }
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors)
}

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^-?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  const seconds = Number(text)
  return seconds > 0 ? seconds : undefined
}
