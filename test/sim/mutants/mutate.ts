// Loaded before everything else in a mutant's process: replaces the text of one source file as it is loaded.
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { locate } from './locate.ts'
import { mutants } from './mutants.ts'

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const mutant = mutants.find(({ id }) => id === process.env['VOUCH_MUTANT'])
if (mutant === undefined) throw new Error(`no mutant ${process.env['VOUCH_MUTANT']}`)
const file = locate(mutant)
if (file === undefined) throw new Error(`${mutant.file} has no text to break for ${mutant.id}`)
const url = pathToFileURL(join(root, file)).href

registerHooks({
  load(address, context, next) {
    const loaded = next(address, context)
    if (address !== url) return loaded
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source as Uint8Array)
    return { ...loaded, source: source.replace(mutant.find, () => mutant.replace) }
  },
})
