import { sharedControlPlane } from './control-plane.ts'
import { realTarget } from './real-target.ts'
import { runCase } from '../conformance/apiserver/register.ts'
import { catalogue } from '../conformance/apiserver/cases/index.ts'
import { readFileSync } from 'node:fs'
const p = await sharedControlPlane(); const t = realTarget(p)
for (const n of process.argv.slice(2).map(Number)) try { const s = await runCase(catalogue.find(c=>c.number===n)!, t); console.log(JSON.stringify(s.steps.slice(-2)).slice(0,2000)) } catch (e) { console.log(n, (e as Error).message) }
console.log(readFileSync(p.folder+'/log','utf8').split('\n').filter(l=>/[Pp]anic|goroutine|runtime error/.test(l)).slice(0,10).join('\n').slice(0,3000))
await p.stop()
