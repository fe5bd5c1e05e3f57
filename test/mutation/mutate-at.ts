// Loaded before everything else in the process of a random defect: changes one token of one source as it is loaded.
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const { file, start, end, becomes } = JSON.parse(process.env['VOUCH_CHANGE'] ?? '{}') as {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly becomes: string
}
const url = pathToFileURL(file).href

registerHooks({
  load(address, context, next) {
    const loaded = next(address, context)
    if (address !== url) return loaded
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source as Uint8Array)
    return { ...loaded, source: source.slice(0, start) + becomes + source.slice(end) }
  },
})
