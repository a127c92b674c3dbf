import { Door, DoorOpens } from '../../ui/brand.tsx'
import { DoorRow, FacilityFront } from '../../ui/brand-scenes.tsx'
import { Button, ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/surfaces.tsx'
import { Part } from './part.tsx'

export function Hero() {
  return (
    <section className="grid gap-8 md:grid-cols-2 items-center">
      <div>
        <h1 className="hero">Storage Made Simple.</h1>
        <p className="lead mt-4 mb-6">
          See the whole price first. Sign on your phone. Get your gate code and drive over.
        </p>
        <form className="search" action="/search">
          <label className="sr" htmlFor="q">
            City or ZIP code
          </label>
          <input id="q" name="q" placeholder="City, Zip Code..." autoComplete="postal-code" />
          <Button>Search</Button>
        </form>
        <p className="soft small mt-3">Reserve free, no card. 14 facilities in 8 states.</p>
      </div>
      <DoorRow />
    </section>
  )
}

export function Facilities() {
  return (
    <Part title="Facilities">
      <div className="cards">
        {['ATL1', 'ATL2', 'CHS1', 'NSH4', 'PDX9', 'TUL2'].map((seed, index) => (
          <Card key={seed} as="article" flush className="card-link">
            <FacilityFront seed={seed} />
            <div className="card-body">
              <h3>
                <a href={`#${seed}`}>
                  {['Ponce City', 'Kirkwood', 'Upper King', 'Germantown', 'Alberta', 'Pearl'][index]}
                </a>
              </h3>
              <p className="soft small">675 North Ave NE, Atlanta, GA 30308</p>
              <p className="flex justify-between gap-4 mt-2">
                <span>1.8 mi away</span>
                <strong>
                  from <Money cents={6400} short /> a month
                </strong>
              </p>
            </div>
          </Card>
        ))}
      </div>
    </Part>
  )
}

export function Done() {
  return (
    <Part title="Done">
      <Card flush>
        <DoorOpens />
        <div className="card-body">
          <h2>Congrats! You're moved in!</h2>
          <p className="soft mt-4">Gate code, active now</p>
          <p className="figure">582 914</p>
          <ButtonRow>
            <LinkButton href="#register">Create My Online Account</LinkButton>
            <LinkButton href="#map" kind="secondary">
              Where's my unit?
            </LinkButton>
          </ButtonRow>
        </div>
      </Card>
    </Part>
  )
}

export function Brand() {
  return (
    <Part title="Brand">
      <div className="flex gap-6 items-center">
        <Logo name="Latchkey" href={null} />
        <div className="w-24">
          <Door />
        </div>
        <div className="w-24">
          <Door open={0.8} inside="sofa" />
        </div>
      </div>
    </Part>
  )
}
