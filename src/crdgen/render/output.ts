// Everything that `infer` writes, as file names and contents: whoever writes them can do so all at once or not at all.
import type { InferredKind, InferredService } from '../infer/infer-service.ts'
import { type CrdMode, crdFileName, crdOf, crdYaml } from './crd.ts'

export interface OutputOptions {
  readonly mode?: CrdMode
  /** Only these; all without. */
  readonly kinds?: readonly InferredKind[]
}

/** Paths below the output folder, with `/`, in order. */
export function renderService(
  service: InferredService,
  { mode = 'current', kinds = service.kinds }: OutputOptions = {},
): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const kind of kinds) files.set(`crds/${crdFileName(service.group, kind.plural)}`, crdYaml(crdOf(service, kind, mode)))
  return files
}
