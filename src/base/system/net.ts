import type { Net } from '../http.ts'
import { dial } from './net/dial.ts'
import { listen } from './net/listen.ts'

/** The machine's own network. */
export const systemNet: Net = { dial, listen }
