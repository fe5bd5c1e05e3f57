// kubectl as people type it, against the real server and the embedded one: what it prints is compared.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { type ApiServer, createApiServer } from '#apiserver'
import { readKnown } from '../conformance/apiserver/known.ts'
import { scenarios } from './programs/kubectl-commands.ts'
import { runScenario } from './programs/kubectl-run.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = (await controlPlaneSkipped()) ?? false
const known = readKnown()
let embedded: Promise<ApiServer> | undefined

describe('kubectl prints the same for both servers', { skip }, () => {
  after(async () => (await embedded)?.close())
  for (const [index, scenario] of scenarios.entries()) {
    const todo = known[`kubectl ${index + 1}`]
    it(`in ${scenario.title}`, todo === undefined ? {} : { todo }, async () => {
      const plane = await sharedControlPlane()
      embedded ??= listening()
      const server = await embedded
      const kubectl = plane.programs.kubectl
      const [real, ours] = await Promise.all([
        runScenario({ kubectl, kubeconfig: readFileSync(plane.kubeconfig, 'utf8') }, scenario, `k${index + 1}`),
        runScenario({ kubectl, kubeconfig: server.kubeconfig() }, scenario, `k${index + 1}`),
      ])
      assert.deepEqual(ours, real)
    })
  }
})

/** Without controllers, like the kube-apiserver beside it. */
async function listening(): Promise<ApiServer> {
  const server = createApiServer({ emulate: '1.34', controllers: 'none' })
  await server.listen()
  return server
}
