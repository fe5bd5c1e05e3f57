// Loaded before everything else in a process whose coverage is wanted: writes at its end which blocks ran. (NODE_V8_COVERAGE would be passed
// on to every program that a test starts, and some look at their environment.)
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

process.on('exit', () => {
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error === null) writeFileSync(process.env['VOUCH_COVERAGE'] ?? '', JSON.stringify(coverage))
  })
})
