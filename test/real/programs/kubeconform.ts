// The real kubeconform, built from its Go module as it was published; the version stands in the folder beside this file.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '#base'
import type { BuiltProgram } from './built-program.ts'
import { goTool } from './go-tool.ts'

export function kubeconformProgram(): BuiltProgram {
  return goTool({ folder: 'go-kubeconform', what: 'kubeconform', package: 'github.com/yannh/kubeconform/cmd/kubeconform' })
}

/** One document of OpenAPI v3 as files of JSON schemas, one for each kind in it, under names that kubeconform asks for. */
export function writeSchemas(folder: string, document: unknown): number {
  const { schemas } = (document as { readonly components: { readonly schemas: Readonly<Record<string, unknown>> } }).components
  mkdirSync(folder, { recursive: true })
  let written = 0
  for (const [name, schema] of Object.entries(schemas)) {
    const [kind] = kindsOf(schema)
    // Options and lists of kinds stand in each document.
    if (kind === undefined || kindsOf(schema).length > 1) continue
    const whole = { $ref: `#/components/schemas/${name}`, components: { schemas } }
    const suffix = [kind.group.split('.')[0] ?? '', kind.version].filter(part => part !== '').join('-')
    writeFileSync(join(folder, `${kind.kind.toLowerCase()}-${suffix}.json`), JSON.stringify(whole))
    written++
  }
  return written
}

interface Kind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

function kindsOf(schema: unknown): readonly Kind[] {
  const kinds = isRecord(schema) ? schema['x-kubernetes-group-version-kind'] : undefined
  return Array.isArray(kinds) ? (kinds as readonly Kind[]) : []
}

export interface Verdict {
  readonly kind: string
  readonly name: string
  readonly status: string
  readonly problems: readonly string[]
}

/** What it says of each object of the manifests, in their order. */
export function runKubeconform(path: string, folder: string, manifests: string): readonly Verdict[] {
  const schemas = join(folder, '{{ .ResourceKind }}{{ .KindSuffix }}.json')
  const args = ['-schema-location', schemas, '-output', 'json', '-verbose', '-n', '1', '-']
  const { stdout, stderr, error } = spawnSync(path, args, { encoding: 'utf8', input: manifests, timeout: 60_000 })
  if (error !== undefined || stdout === '') throw new Error(`kubeconform said nothing: ${stderr}`, { cause: error })
  const { resources } = JSON.parse(stdout) as { readonly resources: readonly Readonly<Record<string, unknown>>[] }
  return resources.map(({ kind, name, status, msg, validationErrors }) => ({
    kind: String(kind),
    name: String(name),
    status: String(status),
    problems: Array.isArray(validationErrors)
      ? (validationErrors as { readonly path: string; readonly msg: string }[]).map(({ path: at, msg: why }) => `${at}: ${why}`)
      : msg === ''
        ? []
        : [String(msg)],
  }))
}
