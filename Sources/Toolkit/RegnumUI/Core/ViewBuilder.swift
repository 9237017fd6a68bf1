// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A result builder that combines views.
@resultBuilder public struct ViewBuilder {
    /// Returns the view of an expression.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }

    /// Returns an empty view for a closure without views.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// Returns a single view unchanged.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }

    /// Combines any number of views.
    public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
    where repeat each Content: View {
        TupleView((repeat each content))
    }

    /// Returns the view of an `if` without `else`.
    public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }

    /// Returns the first branch of an `if` or `switch`.
    public static func buildEither<TrueContent, FalseContent>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
        _ConditionalContent(branch: .first(first))
    }

    /// Returns the second branch of an `if` or `switch`.
    public static func buildEither<TrueContent, FalseContent>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
        _ConditionalContent(branch: .second(second))
    }

    /// Returns the type-erased view of an `if #available`.
    public static func buildLimitedAvailability<Content>(_ content: Content) -> AnyView where Content: View {
        AnyView(content)
    }
}
