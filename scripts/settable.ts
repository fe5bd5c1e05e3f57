// How many fields of how many kinds can be set after a resource was made, over every API model that botocore ships: by the kind's own update
// alone, and with the operations that are found for its parts. `npm run settable -- --data DIR [--list SEED]`; with --list, two hundred of the
// findings, drawn by the seed, each with its evidence: to be read by a person.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '#base'
import { type InferredKind, type InferredService, inferService, readModel, settableFields } from '#crdgen'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

const given = takeFlags(commands['settable'])
const data = given.find('data') ?? join(homedir(), '.cache', 'vouch', 'botocore', '1.44.5', 'botocore', 'data')
if (!existsSync(data)) {
  console.error(`${data} is not here: --data names botocore's data folder`)
  process.exit(1)
}
const counts = { services: 0, kinds: 0, fields: 0, before: 0, after: 0, kindsBefore: 0, kindsAfter: 0, found: 0 }
const evidence: string[] = []
for (const alias of readdirSync(data, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)
  .sort()) {
  const service = inferred(alias)
  if (service === undefined) continue
  counts.services++
  for (const kind of service.kinds) count(service, kind)
}
const { services, kinds, fields, before, after, kindsBefore, kindsAfter, found } = counts
console.log(`${services} services, ${kinds} kinds, ${fields} fields of their specs that no rule makes immutable`)
console.log(`by the kind's own update: ${before} fields of ${kindsBefore} kinds can be set after creation`)
console.log(`with ${found} operations found for parts: ${after} fields of ${kindsAfter} kinds`)
const listSeed = given.find('list')
if (listSeed !== undefined) {
  const random = seededRandom(Number(listSeed))
  const drawn = evidence.map(text => [random.float(), text] as const).sort(([a], [b]) => a - b)
  for (const [, text] of drawn.slice(0, 200)) console.log(text)
}

function inferred(alias: string): InferredService | undefined {
  const folder = join(data, alias)
  const version = readdirSync(folder)
    .sort()
    .findLast(name => readdirSync(join(folder, name)).some(file => file.startsWith('service-2.json')))
  if (version === undefined) return undefined
  const file = readdirSync(join(folder, version)).find(name => name.startsWith('service-2.json')) ?? ''
  return inferService(readModel(readFileSync(join(folder, version, file)), { file: join(alias, version, file) }), { alias })
}

function count(service: InferredService, kind: InferredKind): void {
  const { settable, byUpdate, byParts, parts } = settableFields(service, kind)
  counts.kinds++
  counts.fields += settable.length
  counts.before += byUpdate.length
  counts.after += byUpdate.length + byParts.length
  counts.kindsBefore += byUpdate.length > 0 ? 1 : 0
  counts.kindsAfter += byUpdate.length + byParts.length > 0 ? 1 : 0
  counts.found += parts.length
  for (const text of parts) evidence.push(`${service.alias} ${kind.kind}: ${text}`)
}
