// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Symbols by the names that apps use, drawn for this package: lines in a square of 24. The suffixes `.fill`,
// `.circle`, `.square`, and `.slash` fill, surround, and strike; an unknown symbol is shown by its first letters.

export const symbols = (() => {
  const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`
  const lines = {
    plus: "M12 5v14M5 12h14",
    minus: "M5 12h14",
    xmark: "M6 6l12 12M18 6L6 18",
    x: "M7 7l10 10M17 7L7 17",
    checkmark: "M5 13l5 5L19 7",
    magnifyingglass: circle(10.5, 10.5, 6) + "M15 15l5.500 5.500",
    trash: "M4 6h16M9 6V4h6v2M6 6l1 15h10l1-15M10 10v7M14 10v7",
    "chevron.right": "M9 5l7 7-7 7",
    "chevron.left": "M15 5l-7 7 7 7",
    "chevron.up": "M5 15l7-7 7 7",
    "chevron.down": "M5 9l7 7 7-7",
    "arrow.right": "M4 12h16M14 6l6 6-6 6",
    "arrow.left": "M20 12H4M10 6l-6 6 6 6",
    "arrow.up": "M12 20V4M6 10l6-6 6 6",
    "arrow.down": "M12 4v16M6 14l6 6 6-6",
    "arrow.clockwise": "M19 8a8 8 0 1 0 1 6M20 4v5h-5",
    clock: circle(12, 12, 9) + "M12 7v5l3 3",
    gearshape:
      circle(12, 12, 3) +
      circle(12, 12, 6.5) +
      "M12 2.500v3M12 18.500v3M2.500 12h3M18.500 12h3M5.300 5.300l2 2M16.700 16.700l2 2M18.700 5.300l-2 2M7.300 16.700l-2 2",
    heart: "M12 20C4 14 3 11 3 8.500A4.500 4.500 0 0 1 12 7a4.500 4.500 0 0 1 9 1.500C21 11 20 14 12 20z",
    star: "M12 3l2.700 6 6.300.600-4.800 4.200 1.500 6.200L12 16.700 6.300 20l1.500-6.200L3 9.600 9.300 9z",
    "square.and.arrow.up": "M8 9H5v12h14V9h-3M12 15V3M8 7l4-4 4 4",
    "square.and.arrow.down": "M8 9H5v12h14V9h-3M12 3v12M8 11l4 4 4-4",
    "square.and.pencil": "M12 5H4v15h15v-8M9 15l1-4 9-9 3 3-9 9z",
    info: "M12 11v7M12 6.500v.500",
    exclamationmark: "M12 5v9M12 18v.500",
    questionmark: "M8.500 9a3.500 3.500 0 1 1 5 3c-1.500.800-1.500 1.500-1.500 2.500M12 18v.500",
    "exclamationmark.triangle": "M12 3l10 18H2zM12 9v6M12 18v.500",
    globe: circle(12, 12, 9) + "M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18",
    square: "M4 4h16v16H4z",
    circle: circle(12, 12, 9),
    lock: "M5 11h14v10H5zM8 11V8a4 4 0 0 1 8 0v3",
    "list.bullet": "M9 6h12M9 12h12M9 18h12M4 6h.500M4 12h.500M4 18h.500",
    checklist: "M11 6h10M11 12h10M11 18h10M3 6l2 2 3-4M3 12l2 2 3-4M3 18l2 2 3-4",
    ellipsis: "M5 12h.500M12 12h.500M19 12h.500",
    folder: "M3 6h6l2 2h10v12H3z",
    link: "M10 14a4 4 0 0 1 0-5l4-4a4 4 0 0 1 5.500 5.500L17 13M14 10a4 4 0 0 1 0 5l-4 4a4 4 0 0 1-5.500-5.500L7 11",
    calendar: "M4 5h16v16H4zM4 10h16M8 3v4M16 3v4",
    play: "M7 4l13 8-13 8z",
    pencil: "M4 20l1-5L16 4l4 4L9 19z",
    bookmark: "M6 3h12v18l-6-5-6 5z",
    flag: "M5 22V3h14l-3 5 3 5H5",
    photo: "M3 5h18v14H3zM3 17l6-6 4 4 3-3 5 5" + circle(16, 9, 1.5),
    pin: "M9 3h6l-1 7 3 3H7l3-3zM12 13v8",
    eye: "M2 12c5-8 15-8 20 0-5 8-15 8-20 0z" + circle(12, 12, 3),
    person: circle(12, 8, 4) + "M4 21c0-9 16-9 16 0z",
    tag: "M3 12V4h8l10 10-8 8z" + circle(7.5, 8, 1),
    bell: "M5 17c2-2 1-6 2-9 1-5 9-5 10 0 1 3 0 7 2 9zM10 20h4",
    house: "M3 12l9-9 9 9M6 10v11h12V10M10 21v-6h4v6",
    envelope: "M3 5h18v14H3zM3 6l9 7 9-7",
    camera: "M3 7h4l2-3h6l2 3h4v13H3z" + circle(12, 13, 4),
    cart: "M2 4h3l3 12h10l3-9H6" + circle(9, 20, 1.5) + circle(17, 20, 1.5),
    phone: "M5 3l4 1 1 5-3 2c1 3 3 5 6 6l2-3 5 1 1 4c-1 2-3 3-5 2C9 19 4 13 3 7c0-2 1-3 2-4z"
  }
  lines.gear = lines.gearshape

  const draw = (paths, isFilled) => {
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg")
    const set = (element, all) => {
      for (const [name, value] of Object.entries(all)) element.setAttribute(name, value)
    }
    set(picture, { viewBox: "0 0 24 24", "aria-hidden": "true", class: "symbol" })
    for (const { d, shrinks, inverse, fill, stroke, width } of paths) {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path")
      set(path, {
        d,
        fill: fill ?? (isFilled && !inverse ? "currentColor" : "none"),
        stroke: stroke ?? (inverse && isFilled ? "var(--ground)" : "currentColor"),
        "stroke-width": width ?? 1.75,
        "stroke-linecap": "round",
        "stroke-linejoin": "round"
      })
      if (shrinks) path.setAttribute("transform", "translate(12 12) scale(.6) translate(-12 -12)")
      picture.append(path)
    }
    return picture
  }

  const symbol = name => {
    const isFilled = name.endsWith(".fill")
    const plain = isFilled ? name.slice(0, -5) : name
    if (lines[plain]) return draw([{ d: lines[plain] }], isFilled)
    const [, base, around] = /^(.*)\.(circle|square|slash)$/.exec(plain) ?? [null, plain, null]
    if (lines[base] && around === "slash") return draw([{ d: lines[base] }, { d: "M4 4l16 16" }], isFilled)
    if (lines[base] && around)
      return draw([{ d: lines[around] }, { d: lines[base], shrinks: true, inverse: true }], isFilled)
    const parts = plain.split(".")
    const known = parts.map((_, at) => parts.slice(0, parts.length - at).join(".")).find(part => lines[part])
    if (known) return draw([{ d: lines[known] }], isFilled)
    const letters = document.createElement("span")
    letters.className = "letters"
    letters.setAttribute("aria-hidden", "true")
    letters.textContent = parts
      .map(part => part[0] ?? "")
      .join("")
      .slice(0, 2)
      .toUpperCase()
    return letters
  }

  /** Draws a custom shape of the app, whose coordinates are those of a square of 100. */
  const path = (d, fill, stroke) => {
    const [width, ...color] = (stroke ?? "").split(" ")
    const picture = draw([
      { d, fill: fill ?? "none", stroke: color.join(" ") || "none", width: parseFloat(width) || 0 }
    ])
    picture.setAttribute("viewBox", "0 0 100 100")
    picture.setAttribute("preserveAspectRatio", "none")
    return picture
  }

  return { draw: symbol, path }
})()
