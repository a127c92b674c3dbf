import { callHref } from '../ui/phone-link.tsx'
import type { Route } from './+types/facility-page'

/** Sections below a facility's units: description, features, directions, hours, phone number and nearby facilities. */
export function About(facts: Route.ComponentProps['loaderData']) {
  const { description, features, directions, gateHours, officeHours, phone, around } = facts
  return (
    <>
      <section aria-labelledby="about" hidden={!description && !directions && features.length === 0}>
        <h2 id="about">About this place</h2>
        {description && <p className="mt-3">{description}</p>}
        {features.length > 0 && (
          <ul className="tags mt-4">
            {features.map((feature) => (
              <li key={feature} className="tag">
                {feature}
              </li>
            ))}
          </ul>
        )}
        {directions && (
          <>
            <h3 className="mt-8">Getting here</h3>
            <p className="mt-1">{directions}</p>
          </>
        )}
      </section>
      <section aria-labelledby="hours">
        <h2 id="hours">Hours and contact</h2>
        <dl className="hours mt-3">
          {gateHours && (
            <div>
              <dt>Gate</dt>
              <dd>{gateHours}</dd>
            </div>
          )}
          {/* `officeHours` are the hours in which the phone is answered; the setup pages call them phone hours. */}
          {officeHours.map((row) => (
            <div key={row.days}>
              <dt>Phone, {row.days}</dt>
              <dd>{row.hours}</dd>
            </div>
          ))}
        </dl>
        {phone && (
          <p className="mt-4">
            <a href={callHref(phone)} className="foot-phone">
              {phone}
            </a>
          </p>
        )}
        <p className="mt-2">
          <a href="/find-reservation">Find an Existing Reservation</a>
        </p>
      </section>
      {around.length > 0 && (
        <section aria-labelledby="around">
          <h2 id="around">Nearby</h2>
          <ul className="mt-3">
            {around.map((facility) => (
              <li key={facility.path} className="mt-2">
                <a href={facility.path}>{facility.name}</a> <span className="soft small">{facility.distance}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
