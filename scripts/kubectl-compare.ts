// `node scripts/run.mjs scripts/kubectl-compare.ts [NUMBER ...]`: runs the kubectl scenarios against the real server and the embedded
// one and prints each command whose output differs. The same as test/real/kubectl.real.test.ts, for whoever is mending.
import { readFileSync } from 'node:fs'
import { createApiServer } from '#apiserver'
import { startControlPlane } from '../test/real/control-plane.ts'
import { scenarios } from '../test/real/programs/kubectl-commands.ts'
import { runScenario } from '../test/real/programs/kubectl-run.ts'

const only = process.argv.slice(2).map(Number)
const plane = await startControlPlane()
const server = createApiServer({ emulate: '1.34', controllers: 'none' })
await server.listen()
try {
  for (const [index, scenario] of scenarios.entries()) {
    if (only.length > 0 && !only.includes(index + 1)) continue
    const { kubectl } = plane.programs
    const [real, ours] = await Promise.all([
      runScenario({ kubectl, kubeconfig: readFileSync(plane.kubeconfig, 'utf8') }, scenario, `k${index + 1}`),
      runScenario({ kubectl, kubeconfig: server.kubeconfig() }, scenario, `k${index + 1}`),
    ])
    let same = 0
    for (const [place, wanted] of real.entries()) {
      const got = ours[place]
      if (got !== undefined && got.code === wanted.code && got.text === wanted.text) same++
      else console.log(`$ kubectl ${wanted.command}\n  real ${wanted.code}: ${wanted.text}\n  ours ${got?.code}: ${got?.text}`)
    }
    console.log(`## ${index + 1} ${scenario.title}: ${same} of ${real.length} the same`)
  }
} finally {
  await plane.stop()
  await server.close()
}
