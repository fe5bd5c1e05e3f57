// The catalogue of docs/rules/apiserver.md.
import { cases as admission } from './admission.ts'
import { cases as apply } from './apply.ts'
import { cases as auth } from './auth.ts'
import type { Case } from './case.ts'
import { cases as conversion } from './conversion.ts'
import { cases as crd } from './crd.ts'
import { cases as crud } from './crud.ts'
import { cases as deletion } from './delete.ts'
import { cases as discovery } from './discovery.ts'
import { cases as listWatch } from './list-watch.ts'
import { cases as patch } from './patch.ts'
import { cases as rules } from './rules.ts'

export const catalogue: readonly Case[] = [
  ...discovery,
  ...crud,
  ...deletion,
  ...listWatch,
  ...patch,
  ...apply,
  ...crd,
  ...rules,
  ...conversion,
  ...admission,
  ...auth,
]
