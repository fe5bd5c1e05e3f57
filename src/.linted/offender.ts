import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
export const all: unknown[] = [readFileSync, randomUUID, Date.now(), new Date(), Math.random(), process.env['X'], performance.now()]
setTimeout(() => all.push(fetch('http://x')), 1)
