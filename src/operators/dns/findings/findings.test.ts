import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogFindings, type OperandFinding, type PreflightFinding } from './findings.ts'
import { roleNameOf } from './sanitize.ts'

const tried: PreflightFinding = { fingerprint: 'f', conditions: [], at: 0 }

test('of a silent STS it is kept that somebody was told, of a source that went nothing, and of what is not known nothing either', () => {
  const findings = new LogFindings()
  findings.preflight.set('blue', tried)
  const news = [findings.tell({ name: 'blue', about: 'source' }), findings.tell({ name: 'red', about: 'sts' })]
  assert.deepEqual([...findings.preflight], [['blue', tried]])
  news.push(findings.tell({ name: 'blue', about: 'sts' }))
  assert.deepEqual([...findings.preflight], [['blue', { ...tried, isTold: true }]])
  assert.deepEqual(news, [true, true, true])
})

test('nothing is left of an object that is gone, and of others all', () => {
  const findings = new LogFindings()
  const said = { condition: { type: 'RecordsSynced', status: 'True', reason: 'r', message: 'm' } } as OperandFinding
  for (const name of ['blue', 'red']) {
    findings.preflight.set(name, tried)
    findings.operand.set(name, said)
    findings.turnedMs.set(name, 1)
  }
  findings.forget('blue')
  assert.deepEqual(
    [findings.preflight, findings.operand, findings.turnedMs].map(map => [...map.keys()]),
    [['red'], ['red'], ['red']],
  )
})

test('a role is told by its name, without its account and its path', () => {
  assert.deepEqual(['arn:aws:iam::111122223333:role/a/b/dns', 'dns'].map(roleNameOf), ['dns', 'dns'])
})
