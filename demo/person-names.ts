/** First names, last names and streets of the demo's tenants who are not listed in `tenants-with-leases-and-reservations.ts`. */

export const firstNames =
  'Ada Amir Bea Bruno Carla Cedric Dana Desmond Elsa Emil Farah Flora Grant Greta Hugo Ines Ivan Jonas June Kai Kofi Lars Leona Mina Milo Nell Nico Olga Otis Paula Quentin Rosa Rufus Selma Sol Tess Theo Uma Viola Wade Yara Zeke'.split(
    ' ',
  )
export const lastNames =
  'Abbott Aldana Barlow Becker Calder Chen Dawes Dietz Eaton Ellery Farrow Figueroa Garner Greer Haines Holm Ingram Jarvis Kaplan Keller Lachance Lowry Mercer Molina Nakata Nash Oakes Okafor Pappas Pryor Reyes Rowan Salter Sorensen Tate Thorne Underhill Vance Vogel Weller Winslow Yates Zimmer'.split(
    ' ',
  )
export const streets = [
  'Alder Street',
  'Bramble Lane',
  'Cooper Row',
  'Ferry Road',
  'Garland Avenue',
  'Hollis Court',
  'Orchard Way',
]
