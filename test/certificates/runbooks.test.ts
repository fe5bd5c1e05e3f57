// Each alert of certificates leads to a heading of the page that says what to do.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { alertRules, runbookPage } from '#operators/certificates'

test('the page of alerts has a heading for each alert [11]', () => {
  const page = readFileSync(join(import.meta.dirname, '../..', runbookPage), 'utf8')
  const headings = [...page.matchAll(/^#{2,3} (\w+)$/gm)].map(([, heading = '']) => heading)
  const names = alertRules.map(({ alert }) => alert)
  assert.deepEqual(
    names.filter(name => !headings.includes(name)),
    [],
  )
})
