// One key of a Secret as a file.
import type { OperandVolume } from './request.ts'

export function secretVolume(
  name: string,
  secretName: string,
  item: { readonly key: string; readonly path: string },
): OperandVolume {
  return { name, secret: { secretName, items: [item] } }
}
