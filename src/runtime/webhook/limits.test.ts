import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietListenLimits, webhookListenLimits } from './limits.ts'

const mebibyte = 1_048_576

test('a listener that API servers call takes a thousand connections, half of one peer, and 32 MiB of bodies; each has ten seconds [X6]', () => {
  assert.deepEqual(webhookListenLimits, {
    connectionsMax: 1_000,
    connectionsPerPeerMax: 500,
    headerTimeoutMs: 10_000,
    bodyTimeoutMs: 10_000,
    heldBytesMax: 32 * mebibyte,
  })
})

test('a listener for health and metrics takes a hundred connections, a quarter of one peer, and one MiB of bodies [X6]', () => {
  assert.deepEqual(quietListenLimits, {
    connectionsMax: 100,
    connectionsPerPeerMax: 25,
    headerTimeoutMs: 10_000,
    bodyTimeoutMs: 10_000,
    heldBytesMax: mebibyte,
  })
})
