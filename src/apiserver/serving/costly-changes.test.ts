// Changes of what may not change, that are dear to show.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { ApiServer } from '../api-server.ts'
import { ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { answersInTime, type CostlyRow, filled, times } from './costly.fixture.ts'

const pods = '/api/v1/namespaces/default/pods'
const jobs = '/apis/batch/v1/namespaces/default/jobs'

const variables = (value: (index: number) => number | string): string => times(30_000, i => `{"name":"A","value":"${value(i)}"}`)
const pod = (name: string, ofContainer: string, rest = ''): string =>
  `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${name}"},"spec":{"containers":[{"name":"a","image":"a"${ofContainer}}]${rest}}}`
const job = (containers: string): string =>
  `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[${containers}]}}}}`
/** As many of each as may be before a line is too frequent to be compared. */
const scattered = (seed: number) => (index: number) => (index * seed) % 251

const rows: Readonly<Record<string, CostlyRow>> = {
  'a template of 100,000 empty containers': { method: 'PUT', target: `${jobs}/j`, body: job(times(100_000, () => '{}')) },
  'a template of 30,000 variables': {
    method: 'PUT',
    target: `${jobs}/j`,
    body: job(`{"name":"a","image":"a","env":[${variables(i => i)}]}`),
  },
  'a pod of 30,000 variables in another order': {
    method: 'PUT',
    target: `${pods}/scattered`,
    body: pod('scattered', `,"env":[${variables(scattered(97))}]`),
  },
  'a pod of 30,000 other variables': {
    method: 'PUT',
    target: `${pods}/scattered`,
    body: pod('scattered', `,"env":[${variables(i => `x${i}`)}]`),
  },
  'a pod of a third of a million empty volumes': {
    method: 'PUT',
    target: `${pods}/scattered`,
    body: pod('scattered', '', `,"volumes":[${filled('{},')}{}]`),
  },
}

const server = world()
after(async () => (await server).close())

answersInTime(server, rows, pods)

async function world(): Promise<ApiServer> {
  const made = createApiServer({ seed: 1, controllers: 'none' })
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  const objects: readonly (readonly [target: string, body: string])[] = [
    ['/api/v1/namespaces/default/serviceaccounts', JSON.stringify(account)],
    [pods, pod('scattered', `,"env":[${variables(scattered(1))}]`)],
    [jobs, job('{"name":"a","image":"b"}')],
  ]
  for (const [target, body] of objects) assert.equal((await ask(made, 'POST', target, Buffer.from(body))).status, 201)
  return made
}
