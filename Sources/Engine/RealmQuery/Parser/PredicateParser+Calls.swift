// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension PredicateParser {
    mutating func call(_ name: String) throws(PredicateError) -> Operand? {
        switch name {
        case "subquery": return try subquery()
        case "obj" where dialect == .query: return try object()
        case "geobox": return .shape(try shape { (parser) throws(PredicateError) in try parser.box() })
        case "geocircle": return .shape(try shape { (parser) throws(PredicateError) in try parser.circle() })
        case "geopolygon": return .shape(try shape { (parser) throws(PredicateError) in try parser.polygon() })
        default: return nil
        }
    }

    /// `obj('Class', key)`.
    private mutating func object() throws(PredicateError) -> Operand {
        index += 2
        guard case .value(.string(let className)) = token else { throw expected("the name of a class in quotes") }
        index += 1
        guard takeSymbol(",") else { throw expected("','") }
        guard case .value(let key) = token else { throw expected("a primary key") }
        index += 1
        guard takeSymbol(")") else { throw expected("')'") }
        return .object(className: className, primaryKey: key)
    }

    // MARK: Shapes

    private mutating func shape(
        _ body: (inout PredicateParser) throws(PredicateError) -> GeoShape
    ) throws(PredicateError) -> GeoShape {
        index += 2
        let shape = try body(&self)
        guard takeSymbol(")") else { throw expected("')'") }
        return shape
    }

    /// `GeoBox([longitude, latitude], [longitude, latitude])`: bottom left and top right.
    private mutating func box() throws(PredicateError) -> GeoShape {
        let bottomLeft = try place()
        guard takeSymbol(",") else { throw expected("','") }
        return .box(bottomLeft: bottomLeft, topRight: try place())
    }

    /// `GeoCircle([longitude, latitude], radians)`.
    private mutating func circle() throws(PredicateError) -> GeoShape {
        let center = try place()
        guard takeSymbol(",") else { throw expected("','") }
        return .circle(center: center, radius: try coordinate("a radius in radians"))
    }

    /// `GeoPolygon({[longitude, latitude], …}, {…})`: the outer ring and the holes.
    private mutating func polygon() throws(PredicateError) -> GeoShape {
        var rings: [[GeoPosition]] = []
        repeat {
            guard takeSymbol("{") else { throw expected("'{'") }
            var ring: [GeoPosition] = []
            repeat { ring.append(try place()) } while takeSymbol(",")
            guard takeSymbol("}") else { throw expected("',' or '}'") }
            rings.append(ring)
        } while takeSymbol(",")
        return .polygon(rings)
    }

    /// `[longitude, latitude]`, with an optional altitude.
    private mutating func place() throws(PredicateError) -> GeoPosition {
        guard takeSymbol("[") else { throw expected("'['") }
        let longitude = try coordinate("a longitude")
        guard takeSymbol(",") else { throw expected("','") }
        let latitude = try coordinate("a latitude")
        let altitude = takeSymbol(",") ? try coordinate("an altitude") : 0
        guard takeSymbol("]") else { throw expected("']'") }
        return GeoPosition(longitude: longitude, latitude: latitude, altitude: altitude)
    }

    private mutating func coordinate(_ what: String) throws(PredicateError) -> Double {
        let value: StoredValue
        switch token {
        case .value(let constant):
            index += 1
            value = constant
        case .argument:
            index += 1
            guard case .value(let argument) = try takeArgument() else { throw expected(what) }
            value = argument
        case .variable(let name):
            guard let number = Int(name), arguments.indices.contains(number),
                case .value(let argument) = arguments[number]
            else { throw expected(what) }
            index += 1
            value = argument
        default: throw expected(what)
        }
        switch value {
        case .int(let number): return Double(number)
        case .float(let number): return Double(number)
        case .double(let number): return number
        default: throw expected(what)
        }
    }
}
