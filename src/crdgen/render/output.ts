// Everything that `infer` writes, as file names and contents: whoever writes them can do so all at once or not at all.
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { crdFileName, crdOf, crdYaml } from './crd.ts'
import type { CrdMode } from './crd-mode.ts'
import { type MadeOf, resourceService } from './ir.ts'
import { policyOf } from './policy.ts'
import { type IsHooked, reportOf } from './report.ts'
import { typeFiles } from './typescript.ts'

export interface RenderOptions {
  readonly mode?: CrdMode
  readonly defaultColumns?: boolean | undefined
  /** Only these; all without. */
  readonly kinds?: readonly InferredKind[]
  readonly madeOf?: MadeOf
  readonly isHooked?: IsHooked
}

const unknown: MadeOf = { model: '', config: '', program: '' }

/** Paths below the output folder, with `/`. */
export function renderService(
  service: InferredService,
  { mode = 'current', defaultColumns, kinds = service.kinds, madeOf = unknown, isHooked }: RenderOptions = {},
): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const kind of kinds)
    files.set(`crds/${crdFileName(service.group, kind.plural)}`, crdYaml(crdOf(service, kind, mode, { defaultColumns })))
  for (const [name, content] of typeFiles(service, kinds)) files.set(name, content)
  for (const kind of kinds) files.set(`policies/${kind.kind.toLowerCase()}.json`, json(policyOf(service, kind)))
  files.set('ir.json', json(resourceService(service, { kinds, madeOf })))
  files.set('report.json', json(reportOf(service, kinds, isHooked)))
  return files
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
