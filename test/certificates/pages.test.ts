import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { alertRules, runbookPage } from '#operators/certificates'

test('every alert leads to a heading of its page, and the page has no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../..', runbookPage), 'utf8')
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title)
  assert.deepEqual(headings.toSorted(), alertRules.map(({ alert }) => alert).toSorted())
})
