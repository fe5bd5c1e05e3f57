// What is to be known of Node's HTTP/2, on either side.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'
import type { HttpHeaders } from '../../seams/http.ts'

/**
 * Node refuses every new stream of a connection that holds more than ten megabytes, and goes on counting what a stream held that was left. What
 * either side may hold is bounded by streams and windows.
 */
export const sessionMemoryMbMax = 1_000_000

/**
 * Headers, with names and values in turn, as this Node takes them: as they are from 24.7 on, which costs a tenth less of an answer and keeps no
 * table for as long as a stream stands; machines for which there is only 24.0 are served as well.
 */
export function forNode(list: readonly string[]): readonly string[] | OutgoingHttpHeaders {
  return listsAreTaken ? list : headersOf(list)
}

const listsAreTaken = takesLists(process.versions.node)

export function takesLists(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}

export function headersOf(list: readonly string[]): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  for (let at = 0; at + 1 < list.length; at += 2) {
    const [name = '', value = ''] = [list[at], list[at + 1]]
    const known = headers[name]
    headers[name] = known === undefined ? value : [known, value].flat().map(String)
  }
  return headers
}

/** Names and values in turn, a name again for each further value. */
export function appendHeaders(list: string[], headers: HttpHeaders, leftOut: ReadonlySet<string>): string[] {
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || leftOut.has(name)) continue
    if (typeof value === 'string') list.push(name, value)
    else for (const one of value) list.push(name, one)
  }
  return list
}

export const colon = 58

/** The headers proper, without method, path and status. */
export function withoutPseudo(headers: IncomingHttpHeaders | HttpHeaders): Record<string, HttpHeaders[string]> {
  const plain: Record<string, HttpHeaders[string]> = {}
  for (const name in headers) if (name.charCodeAt(0) !== colon) plain[name] = headers[name]
  return plain
}
