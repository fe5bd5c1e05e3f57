import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderDashboard } from './dashboard.ts'

test('the panels fill rows of three in a grid of 24 columns, each with a number of its own', () => {
  const { panels } = renderDashboard() as { readonly panels: readonly { readonly id: number; readonly gridPos: object }[] }
  assert.ok(panels.length > 3)
  for (const [index, { id, gridPos }] of panels.entries()) {
    assert.deepEqual(gridPos, { x: [0, 8, 16][index % 3], y: 8 * Math.floor(index / 3), w: 8, h: 8 })
    assert.equal(id, index + 1)
  }
})
