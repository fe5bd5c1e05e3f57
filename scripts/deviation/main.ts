// `npm run deviation -- SERVICE/KIND`: the files with which a deviation of a kind begins. The steps from there are
// docs/contributing/add-a-kind-with-deviations.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chooseKinds, isDeviating, type ShippedKinds, shippedKinds, UnknownKindError } from '#operators/resources'
import { commands } from '../flags/commands.ts'
import { takeFlags } from '../flags/flags.ts'
import { listPath, type ScaffoldedKind, scaffold } from './scaffold.ts'

const top = join(import.meta.dirname, '../..')
const problem = write(takeFlags(commands['deviation']).words[0] ?? '')
if (problem !== undefined) {
  console.error(problem)
  process.exitCode = 1
}

function write(id: string): string | undefined {
  const [, service, kind] = /^([a-z][a-z0-9-]*)\/([A-Z][A-Za-z0-9]*)$/.exec(id) ?? []
  if (service === undefined || kind === undefined) return 'usage: npm run deviation -- SERVICE/KIND, such as eks/AccessEntry'
  if (isDeviating(id)) return `${id} has a deviation already; ${listPath} says where`
  const asked = kindOf(service, kind)
  if (typeof asked === 'string') return asked
  const files = scaffold(asked, readFileSync(join(top, listPath), 'utf8'))
  const there = files.find(({ path }) => path !== listPath && existsSync(join(top, path)))
  if (there !== undefined) return `${there.path} is there already`
  for (const { path, text } of files) {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
    console.log(path)
  }
  return undefined
}

/** The kind, or what is wrong with its name. */
function kindOf(service: string, kind: string): ScaffoldedKind | string {
  if (!isShipped(service)) return { service, kind }
  try {
    const [model] = chooseKinds({ services: [service], kinds: [kind] }).kinds
    const required = model?.kind.spec.filter(field => field.required === true && field.type.kind === 'string')
    return { service, kind: model?.kind.kind ?? kind, required: (required ?? []).map(({ json }) => json) }
  } catch (error) {
    if (error instanceof UnknownKindError) return error.message
    throw error
  }
}

function isShipped(service: string): service is ShippedKinds {
  return (shippedKinds as readonly string[]).includes(service)
}
