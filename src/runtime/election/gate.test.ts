import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fence, fenced, type Passage } from './fence.ts'
import { Gate } from './gate.ts'

/** A fence that lets in when it is told to. */
function gating() {
  const entering = Promise.withResolvers<void>()
  const proof = new AbortController()
  const counts = { entered: 0, left: 0, checked: 0 }
  const fence: Fence = {
    check: () => void counts.checked++,
    enter: async (): Promise<Passage> => {
      counts.entered++
      await entering.promise
      return { signal: proof.signal, leave: () => void counts.left++ }
    },
  }
  const cut: string[] = []
  const gate = new Gate({ fence, signal: new AbortController().signal, onCutOff: why => cut.push(why.message) })
  return { gate, counts, cut, proof, letIn: entering.resolve }
}

test('work goes through its fence at its first write, once for all of them, and leaves it once', async () => {
  const { gate, counts, letIn } = gating()
  assert.equal(counts.entered, 0)
  const both = Promise.all([gate.enter(), gate.enter()])
  letIn()
  await both
  await gate.enter()
  gate.check()
  gate.leave()
  gate.leave()
  assert.deepEqual(counts, { entered: 1, left: 1, checked: 1 })
})

test('work is cut off when its proof runs out, and not once it has left', async () => {
  for (const hasLeft of [false, true]) {
    const { gate, cut, proof, letIn } = gating()
    letIn()
    await gate.enter()
    if (hasLeft) gate.leave()
    proof.abort(fenced('over'))
    assert.deepEqual(cut, hasLeft ? [] : ['over'])
  }
})

test('a proof that ran out while it was waited for cuts the work off at once', async () => {
  const { gate, cut, proof, letIn } = gating()
  const entering = gate.enter()
  proof.abort(fenced('too late'))
  letIn()
  await entering
  assert.deepEqual(cut, ['too late'])
})

test('work that left before it was let in leaves the fence at once, and is cut off no more', async () => {
  const { gate, counts, cut, proof, letIn } = gating()
  const entering = gate.enter()
  gate.leave()
  letIn()
  await entering
  proof.abort(fenced('over'))
  assert.deepEqual([counts.left, cut], [1, []])
})
