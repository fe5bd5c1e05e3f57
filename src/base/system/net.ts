import type { Net } from '../http.ts'
import { listen } from './net/listen.ts'

/** The machine's own network. */
export const systemNet: Net = {
  dial: () => {
    throw new Error('dialling is not there yet')
  },
  listen,
}
