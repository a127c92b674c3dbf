import { decodeLook } from '../../../modules/facilities/rules/facility-front-to-draw.ts'
import { Card } from '../../ui/card-tag-and-callout.tsx'
import { Door, OpeningDoorAnimation } from '../../ui/door-drawing.tsx'
import { DoorRow } from '../../ui/door-row.tsx'
import { FacilityFront } from '../../ui/facility-front-drawing.tsx'
import { Logo } from '../../ui/logo.tsx'
import { GallerySection } from './gallery-section.tsx'

export function Brand() {
  return (
    <GallerySection title="Brand">
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
        {['4bil', '1d', '2tid', '3sil', '1dvxz', '1idok'].flatMap((code) => {
          const look = decodeLook(code)
          return look ? [<FacilityFront key={code} seed={code} look={look} />] : []
        })}
      </div>
      <Card flush className="mt-4">
        <OpeningDoorAnimation />
        <div className="card-body">
          <p className="soft">Gate code</p>
          <p className="figure">582 914</p>
        </div>
      </Card>
    </GallerySection>
  )
}
