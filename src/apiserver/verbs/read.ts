// GET of one object and of a collection: latest, not older than, or exactly as of a revision; in pages.

import { andThen, isRecord, type Maybe } from '#base'
import { bytesProblem, type FieldError, fieldError, quote } from '#schema'
import { usesWebhook } from '../conversion/converter.ts'
import type { ListReply, Reply, ResourceCall } from '../http/call.ts'
import { badRequest, expired, invalid, notFound, refusal, tooLargeResourceVersion } from '../refusals.ts'
import type { OrderedMap } from '../store/ordered-map.ts'
import type { Version } from '../store/version.ts'
import { readInt64, readUint64 } from '../text/integers.ts'
import type { ReadPorts } from './ports.ts'
import { type ObjectSelection, readSelection } from './selection.ts'
import { answerWith, keyOfCall, requireLive, shownAs, tableOf } from './subject.ts'

export function get(ports: ReadPorts, call: ResourceCall): Maybe<Reply> {
  if (call.query.has('export') && call.query.flag('export'))
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported')
  const wanted = call.query.get('resourceVersion')
  if (wanted === undefined || wanted === '' || wanted === '0') return found(ports, call)
  const waited = ports.waitForRevision(readRevision(wanted))
  return waited === undefined ? found(ports, call) : waited.then(() => found(ports, call))
}

function found(ports: ReadPorts, call: ResourceCall): Maybe<Reply> {
  const stale = staleRevision(ports, call)
  const rows = stale === undefined ? undefined : tableOf(ports, call.kind).rowsAt(stale)
  if (rows !== undefined) {
    const version = rows.get(keyOfCall(call))
    if (version === undefined) throw notFound(call.kind.resource, call.info.name)
    return answerWith(ports, call.kind, 200, version)
  }
  return answerWith(ports, call.kind, 200, requireLive(ports, call))
}

export function list(ports: ReadPorts, call: ResourceCall): Maybe<ListReply> {
  const options = readListOptions(call)
  const selection = readSelection(call)
  const wait = options.at === 'not-older' && options.revision > 0 ? ports.waitForRevision(options.revision) : undefined
  return wait === undefined ? listNow(ports, call, options, selection) : wait.then(() => listNow(ports, call, options, selection))
}

/** An injected fault: the read sees the store as it was some revisions ago. */
function staleRevision(ports: ReadPorts, { faults }: ResourceCall): number | undefined {
  const fault = faults?.find(action => action.kind === 'stale-read')
  return fault?.kind === 'stale-read' ? Math.max(0, ports.store.revision - fault.revisions) : undefined
}

interface ListRequest {
  readonly at: 'latest' | 'not-older' | 'exact'
  readonly revision: number
  readonly limit: number
  readonly startKey: string
}

function listNow(ports: ReadPorts, call: ResourceCall, options: ListRequest, selection: ObjectSelection): Maybe<ListReply> {
  const table = tableOf(ports, call.kind)
  const stale = options.at === 'not-older' || call.faults !== undefined ? staleRevision(ports, call) : undefined
  if (stale !== undefined && options.at !== 'exact')
    return listNow(ports, call, { ...options, at: 'exact', revision: Math.max(stale, options.revision) }, selection)
  const revision = options.at === 'exact' ? options.revision : ports.store.revision
  if (revision > ports.store.revision) throw tooLargeResourceVersion(revision, ports.store.revision)
  const rows = options.at === 'exact' ? table.rowsAt(revision) : table.rows
  if (rows === undefined) throw expiredPage(call, options)
  // What is read is this state of the rows, however long the converter takes.
  const frozen = usesWebhook(call.kind) ? rows.fork() : rows
  return andThen(ports.converter.prepare(pageRows(frozen, call, options, selection), call.kind), () =>
    renderPage(takePage(frozen, call, options, selection), call, revision, selection),
  )
}

function renderPage(page: Page, call: ResourceCall, revision: number, selection: ObjectSelection): ListReply {
  return {
    type: 'list',
    metadata: {
      resourceVersion: String(revision),
      // The lists of custom resources are untyped in a real server, and so print an empty token as well.
      ...(page.remaining === 0
        ? call.kind.resource.custom === undefined
          ? {}
          : { continue: '' }
        : { continue: renderContinue(revision, startAfter(page.lastKey, selection)) }),
      ...(page.remaining > 0 && selection.everything ? { remainingItemCount: page.remaining } : {}),
    },
    versions: page.versions,
  }
}

interface Page {
  readonly versions: Version[]
  /** Of the last object that is shown. */
  lastKey: string
  /** How many rows come after a full page; with a selection only whether there are any, for they may not match. */
  remaining: number
}

function takePage(rows: OrderedMap<Version>, call: ResourceCall, options: ListRequest, selection: ObjectSelection): Page {
  const page: Page = { versions: [], lastKey: '', remaining: 0 }
  const { keyPrefix } = selection
  rows.visit(keyPrefix + options.startKey, (version, key) => {
    if (!key.startsWith(keyPrefix)) return false
    if (options.limit > 0 && page.versions.length >= options.limit) {
      page.remaining++
      return selection.everything
    }
    const shown = shownAs(version, call.kind)
    if (!selection.matches(shown.object)) return true
    page.versions.push(shown)
    page.lastKey = key
    return true
  })
  return page
}

/** What a page has to look at: all that it shows, and with a selection all that it may show. */
function pageRows(rows: OrderedMap<Version>, call: ResourceCall, options: ListRequest, selection: ObjectSelection): Version[] {
  const versions: Version[] = []
  if (!usesWebhook(call.kind)) return versions
  const { keyPrefix } = selection
  rows.visit(keyPrefix + options.startKey, (version, key) => {
    if (!key.startsWith(keyPrefix)) return false
    versions.push(version)
    return options.limit === 0 || !selection.everything || versions.length < options.limit
  })
  return versions
}

export function readListOptions(call: ResourceCall): ListRequest {
  const { query } = call
  const match = query.get('resourceVersionMatch') ?? ''
  const version = query.get('resourceVersion') ?? ''
  const token = query.get('continue') ?? ''
  const limit = readInteger(query.get('limit'))
  readInteger(query.get('timeoutSeconds'))
  checkListOptions(match, version, token, query.has('sendInitialEvents'))
  if (token !== '') {
    if (version !== '' && version !== '0') throw badRequest('specifying resource version is not allowed when using continue')
    const { revision, startKey } = parseContinue(token)
    return { at: revision < 0 ? 'latest' : 'exact', revision, limit, startKey }
  }
  const revision = version === '' ? 0 : readRevision(version, true)
  const exact = match === 'Exact' || (match === '' && limit > 0 && revision > 0)
  if (exact) return { at: 'exact', revision, limit, startKey: '' }
  // "Whatever the cache has" is the whole of it: a real cache ignores the limit for version 0.
  return { at: version === '' ? 'latest' : 'not-older', revision, limit: version === '0' ? 0 : limit, startKey: '' }
}

function checkListOptions(match: string, version: string, token: string, sendInitialEvents: boolean): void {
  const errors: FieldError[] = []
  const forbid = (field: string, detail: string): void => void errors.push({ type: 'FieldValueForbidden', field, detail })
  if (match !== '') {
    if (version === '') forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided')
    if (token !== '') forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided')
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(fieldError.notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']))
    }
    if (match === 'Exact' && version === '0') {
      forbid('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
    }
  }
  if (sendInitialEvents) forbid('sendInitialEvents', 'sendInitialEvents is forbidden for list')
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors)
}

export function readInteger(text: string | undefined): number {
  if (text === undefined) return 0
  const read = readInt64(text)
  if ('trouble' in read) throw badRequest(read.trouble)
  return Number(read.value)
}

/** A list says that the request is bad; a watch and the read of one object answer with what went wrong inside. */
export function readRevision(text: string, isList = false): number {
  const read = readUint64(text)
  if ('value' in read) return Number(read.value)
  const why = `resourceVersion: Invalid value: ${quote(text)}: ${read.trouble}`
  throw isList ? badRequest(`invalid resource version: ${why}`) : refusal(500, '', why)
}

/** What comes right after a key, below the scope of the request: a token of one kind may be used for another. */
function startAfter(key: string, { keyPrefix }: ObjectSelection): string {
  return `${key.slice(keyPrefix.length)}\0`
}

/** The token says where to go on and at which revision; -1 is "wherever things are now". */
export function renderContinue(revision: number, startKey: string): string {
  const text = JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: startKey })
  return Buffer.from(text).toString('base64url')
}

function parseContinue(token: string): { revision: number; startKey: string } {
  const { v, rv, start } = decodeContinue(token)
  if (v !== 'meta.k8s.io/v1')
    throw invalidContinue(`server does not recognize this encoded version ${typeof v === 'string' ? v : ''}`)
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0)
    throw invalidContinue('incorrect encoded start resourceVersion (version meta.k8s.io/v1)')
  if (typeof start !== 'string' || start === '') throw invalidContinue('encoded start key empty (version meta.k8s.io/v1)')
  return { revision: rv, startKey: start }
}

function decodeContinue(token: string): Record<string, unknown> {
  const stray = token.search(/[^A-Za-z0-9_-]/)
  if (stray >= 0 || token.length % 4 === 1)
    throw invalidContinue(`illegal base64 data at input byte ${stray >= 0 ? stray : token.length - 1}`)
  const bytes = Buffer.from(token, 'base64url')
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return isRecord(value) ? value : {}
  } catch {
    throw invalidContinue(bytesProblem(bytes))
  }
}

function invalidContinue(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`)
}

const expiredText =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

function expiredPage(call: ResourceCall, options: ListRequest): Error {
  if (options.startKey === '') return expired(`The resourceVersion for the provided list is too old.`)
  const error = expired(expiredText)
  Object.assign(error.status, { metadata: { continue: renderContinue(-1, options.startKey) } })
  void call
  return error
}
