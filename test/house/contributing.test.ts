// The pages of steps for contributors are carried out, each in a copy of the checkout.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { walkPage } from './steps.ts'

const pages = readdirSync(join(import.meta.dirname, '../../docs/contributing'))

for (const page of pages) {
  test(`the steps of ${page} lead to what they say`, async () => {
    const { file, change, command } = await walkPage(`docs/contributing/${page}`)
    assert.ok(file + change > 0 && command > 0)
  })
}
