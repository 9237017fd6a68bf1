// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct TextTable {
    enum Alignment {
        case left
        case right
    }

    private let alignments: [Alignment]
    private let indent: String
    private var rows: [[String]] = []

    init(_ alignments: [Alignment], indent: String = "") {
        self.alignments = alignments
        self.indent = indent
    }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    var lines: [String] {
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return alignments[column] == .left ? cell + padding : padding + cell
            }
            let line = indent + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension BinaryInteger {
    var grouped: String {
        let digits = Array(String(magnitude))
        let text = digits.enumerated().map { index, digit in
            index > 0 && (digits.count - index) % 3 == 0 ? ",\(digit)" : String(digit)
        }
        return (self < 0 ? "-" : "") + text.joined()
    }

    func counted(_ noun: String) -> String { grouped + " " + noun + (self == 1 ? "" : "s") }
}
