// The catalogue of specification §13.
import type { Case } from './case.ts'
import { cases as crud } from './crud.ts'
import { cases as discovery } from './discovery.ts'

export const catalogue: readonly Case[] = [...discovery, ...crud]
