// Watch events as lines of JSON. The line of a plain event is made once per version and shared by all watchers.

import type { Version } from '../store/version.ts'
import { stringifyJson } from '../text/json.ts'

export interface WatchWire {
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', version: Version): Uint8Array
  bookmark(revision: number, initialEventsEnd: boolean): Uint8Array
  error(status: unknown): Uint8Array
}

export function line(type: string, object: unknown): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${stringifyJson(object)}}\n`)
}

const heads = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
}
const tail = Buffer.from('}\n')

/** Lines by version and type; versions that nobody holds any more take their lines with them. */
const lines = new WeakMap<Version, { type: string; bytes: Uint8Array }>()

export function plainLine(type: 'ADDED' | 'MODIFIED' | 'DELETED', version: Version): Uint8Array {
  const known = lines.get(version)
  if (known?.type === type) return known.bytes
  const bytes = Buffer.concat([heads[type], version.json, tail])
  lines.set(version, { type, bytes })
  return bytes
}

export function plainWire(apiVersion: string, kind: string, listKind: string, nullTimes: boolean): WatchWire {
  return {
    event: plainLine,
    bookmark: (revision, initialEventsEnd) =>
      line('BOOKMARK', bookmarkObject({ apiVersion, kind, listKind, revision, initialEventsEnd, nullTimes })),
    error: status => line('ERROR', status),
  }
}

export function bookmarkObject(of: {
  apiVersion: string
  kind: string
  listKind: string
  revision: number
  initialEventsEnd: boolean
  /** Up to 1.33 an unset time was printed as null, and the mark came with an empty list. */
  nullTimes: boolean
}): Record<string, unknown> {
  const emptyList = { kind: of.listKind, apiVersion: of.apiVersion, metadata: {}, items: [] }
  return {
    kind: of.kind,
    apiVersion: of.apiVersion,
    metadata: {
      resourceVersion: String(of.revision),
      ...(of.nullTimes ? { creationTimestamp: null } : {}),
      ...(of.initialEventsEnd
        ? {
            annotations: {
              'k8s.io/initial-events-end': 'true',
              ...(of.nullTimes
                ? {
                    'kubernetes.io/initial-events-list-blueprint': Buffer.from(`${JSON.stringify(emptyList)}\n`).toString(
                      'base64',
                    ),
                  }
                : {}),
            },
          }
        : {}),
    },
  }
}
