import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { alertRules, runbookPage, zoneRolePolicy } from '#operators/certificates'

test('every alert leads to a heading of its page, and the page has no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../..', runbookPage), 'utf8')
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title)
  assert.deepEqual(headings.toSorted(), alertRules.map(({ alert }) => alert).toSorted())
})

test('the policy that the guide gives the role of another account is the one that the operator needs there [16.2]', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/guides/certificates.md'), 'utf8')
  const [, shown = ''] = /^cat > records\.json <<EOF\n([\s\S]*?)^EOF$/m.exec(page) ?? []
  assert.deepEqual(JSON.parse(shown.replaceAll('$ZONE', 'Z1')), zoneRolePolicy(['Z1']))
})
