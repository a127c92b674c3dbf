import { Door, DoorOpens } from '../../ui/brand.tsx'
import { DoorRow, FacilityFront } from '../../ui/brand-scenes.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Card } from '../../ui/surfaces.tsx'
import { Part } from './part.tsx'

export function Brand() {
  return (
    <Part title="Brand">
      <div className="flex items-center gap-6">
        <Logo name="Latchkey" href={null} />
        <div className="w-24">
          <Door />
        </div>
        <div className="w-24">
          <Door open={0.8} inside="sofa" />
        </div>
      </div>
      <div className="cards mt-4">
        <DoorRow />
        {['ATL1', 'ATL2', 'CHS1', 'NSH4', 'PDX9', 'TUL2'].map((seed) => (
          <FacilityFront key={seed} seed={seed} />
        ))}
      </div>
      <Card flush className="mt-4">
        <DoorOpens />
        <div className="card-body">
          <p className="soft">Gate code, active now</p>
          <p className="figure">582 914</p>
        </div>
      </Card>
    </Part>
  )
}
