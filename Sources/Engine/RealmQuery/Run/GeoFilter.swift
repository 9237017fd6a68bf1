// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Tests, object by object, whether a location is in a region. Other values are in no region.
final class GeoFilter: RowFilter {
    private let region: GeoRegion
    private let comparison: Comparison
    private var walker: PathWalker
    /// The table of the locations. Separate from the walker, which is in use while they're read.
    private let table: Table
    private var types: ColumnLeaves
    private let coordinates: Column
    private static let point = TextPattern(.equal, "point", ignoringCase: true)

    init(
        _ path: ResolvedPath, _ columns: GeoColumns, _ region: GeoRegion, text: Comparison, in source: any TableSource
    ) throws {
        self.region = region
        comparison = text
        walker = try PathWalker(path, hops: path.hops, in: source)
        table = walker.table
        types = ColumnLeaves(try table.require(columns.type))
        coordinates = try table.require(columns.coordinates)
    }

    override var text: String { comparison.planText }
    override var cost: Double { walker.path.hops.cost(ofEnd: 150) }
    override var selectivity: Double { 0.1 }

    override func filter(_ block: RowBlock, _ rows: RowSet) throws -> RowSet {
        try rows.filter { row in
            try walker.leads(block.position(of: row)) { object in
                guard let place = try place(object) else { return false }
                return region.contains(place)
            }
        }
    }

    private func place(_ object: ClusterTree.Position) throws -> GeoPosition? {
        guard case .string(let type) = try types.leaf(of: object.leaf).value(at: object.row),
            GeoFilter.point.matches(type)
        else { return nil }
        let list = try table.list(coordinates, at: object)
        guard list.count >= 2, case .double(let longitude) = try list.value(at: 0),
            case .double(let latitude) = try list.value(at: 1)
        else { return nil }
        let place = GeoPosition(longitude: longitude, latitude: latitude)
        return place.isValid ? place : nil
    }
}
