// Call options as the query string that API servers read.
import type { ListOptions, PatchOptions, WatchOptions, WriteOptions } from './client.ts'

export function renderQuery(parts: Readonly<Record<string, string | number | boolean | undefined>>): string {
  let query = ''
  for (const name in parts) {
    const value = parts[name]
    if (value === undefined || value === '') continue
    query += `${query === '' ? '?' : '&'}${name}=${encodeURIComponent(String(value))}`
  }
  return query
}

export function listQuery(options: ListOptions | undefined): string {
  if (options === undefined) return ''
  return renderQuery({
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    limit: options.limit,
    continue: options.continue,
    // A page goes on in the snapshot of its token, and naming another version with it is refused.
    resourceVersion: options.continue === undefined ? options.resourceVersion : undefined,
    resourceVersionMatch: options.continue === undefined ? options.resourceVersionMatch : undefined,
  })
}

export function watchQuery(options: WatchOptions | undefined, timeoutSeconds: number): string {
  const initial = options?.sendInitialEvents
  return renderQuery({
    watch: true,
    labelSelector: options?.labelSelector,
    fieldSelector: options?.fieldSelector,
    resourceVersion: options?.resourceVersion,
    resourceVersionMatch: initial === undefined ? undefined : 'NotOlderThan',
    sendInitialEvents: initial,
    allowWatchBookmarks: options?.allowBookmarks ?? initial,
    timeoutSeconds,
  })
}

export function writeQuery(options: (WriteOptions & Pick<PatchOptions, 'force'>) | undefined, fieldManager?: string): string {
  return renderQuery({
    dryRun: options?.dryRun === true ? 'All' : undefined,
    fieldManager: options?.fieldManager ?? fieldManager,
    fieldValidation: options?.fieldValidation,
    force: options?.force,
  })
}
